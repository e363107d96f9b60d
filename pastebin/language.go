package pastebin

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"stormbin/engine/json"
)

// Language is what a text may be written in.
type Language struct {
	// Name is the one that pastes keep, and that the highlighter knows it by.
	Name string
	// Label is for readers.
	Label string
	// Extensions are of files in it, without the dot; the first is the usual one.
	Extensions []string
}

// Languages are those to choose from, in the order of their labels. Plain text is none of them.
var Languages = []Language{
	{"bash", "Bash", []string{"sh", "bash", "zsh", "ksh"}},
	{"c", "C", []string{"c", "h"}},
	{"csharp", "C#", []string{"cs"}},
	{"cpp", "C++", []string{"cpp", "cc", "cxx", "hpp", "hh", "hxx"}},
	{"css", "CSS", []string{"css"}},
	{"diff", "Diff", []string{"diff", "patch"}},
	{"docker", "Dockerfile", []string{"dockerfile"}},
	{"go", "Go", []string{"go"}},
	{"haskell", "Haskell", []string{"hs"}},
	{"html", "HTML", []string{"html", "htm", "xhtml"}},
	{"ini", "INI", []string{"ini", "cfg", "inf"}},
	{"java", "Java", []string{"java"}},
	{"javascript", "JavaScript", []string{"js", "mjs", "cjs", "jsx"}},
	{"json", "JSON", []string{"json", "jsonl", "ndjson", "webmanifest"}},
	{"kotlin", "Kotlin", []string{"kt", "kts"}},
	{"lua", "Lua", []string{"lua"}},
	{"make", "Makefile", []string{"mk", "mak"}},
	{"markdown", "Markdown", []string{"md", "markdown"}},
	{"perl", "Perl", []string{"pl", "pm"}},
	{"php", "PHP", []string{"php"}},
	{"powershell", "PowerShell", []string{"ps1", "psm1", "psd1"}},
	{"python", "Python", []string{"py", "pyw", "pyi"}},
	{"r", "R", []string{"r"}},
	{"ruby", "Ruby", []string{"rb", "gemspec", "rake"}},
	{"rust", "Rust", []string{"rs"}},
	{"sql", "SQL", []string{"sql"}},
	{"swift", "Swift", []string{"swift"}},
	{"toml", "TOML", []string{"toml"}},
	{"typescript", "TypeScript", []string{"ts", "mts", "cts", "tsx"}},
	{"xml", "XML", []string{"xml", "xsd", "xsl", "svg", "plist", "rss", "atom"}},
	{"yaml", "YAML", []string{"yaml", "yml"}},
}

// files are names that say it all, in lower case.
var files = map[string]string{
	"makefile": "make", "gnumakefile": "make",
	"dockerfile": "docker", "containerfile": "docker",
	"gemfile": "ruby", "rakefile": "ruby",
	".bashrc": "bash", ".bash_profile": "bash", ".profile": "bash", ".zshrc": "bash",
	".gitconfig": "ini", ".editorconfig": "ini",
	"cargo.lock": "toml",
}

// interpreters are what a line that begins with #! may start.
var interpreters = map[string]string{
	"sh": "bash", "bash": "bash", "dash": "bash", "zsh": "bash", "ksh": "bash",
	"python": "python", "node": "javascript", "deno": "typescript", "ruby": "ruby", "perl": "perl", "php": "php", "lua": "lua",
	"rscript": "r", "make": "make", "pwsh": "powershell", "runghc": "haskell", "runhaskell": "haskell",
}

// openings are beginnings that only one language has, in lower case.
var openings = []struct{ begins, language string }{
	{"<!doctype html", "html"}, {"<html", "html"}, {"<?xml", "xml"}, {"<?php", "php"}, {"<svg", "xml"},
	{"diff --git ", "diff"}, {"#include <iostream>", "cpp"}, {"#include <vector>", "cpp"}, {"#include <string>", "cpp"},
	{"#include <stdio.h>", "c"}, {"#include <stdlib.h>", "c"}, {"using system;", "csharp"}, {"create table ", "sql"},
	{"insert into ", "sql"}, {"fn main()", "rust"}, {"---\napiversion:", "yaml"}, {"apiversion: ", "yaml"},
}

// known says whether there is a language of that name, or the name is "".
func known(name string) bool {
	return name == "" || slices.ContainsFunc(Languages, func(l Language) bool { return l.Name == name })
}

// Guess is the name of the language of a text, by the name of its file, "" if it has none, and by how the text begins. It
// is "" where it is unsure.
func Guess(name string, text []byte) string {
	name = strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	if language, ok := files[name]; ok {
		return language
	}
	extension := strings.TrimPrefix(path.Ext(name), ".")
	for _, l := range Languages {
		if slices.Contains(l.Extensions, extension) {
			return l.Name
		}
	}
	if !IsText(text) {
		return ""
	}
	return guessText(bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\uFEFF")), " \t\r\n"))
}

// guessText is Guess by how the text begins.
func guessText(text []byte) string {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line = bytes.TrimSpace(line)
	if command, ok := strings.CutPrefix(string(line), "#!"); ok {
		return interpreter(command)
	}
	start := strings.ToLower(string(text[:min(len(text), 64)]))
	for _, o := range openings {
		if strings.HasPrefix(start, o.begins) {
			return o.language
		}
	}
	if rest, ok := strings.CutPrefix(string(line), "package "); ok {
		if strings.HasSuffix(rest, ";") {
			return "java"
		}
		if !strings.ContainsAny(rest, ". ") { // Kotlin's and Scala's have dots
			return "go"
		}
	}
	if len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		if _, err := json.Parse(string(text), "", json.Limits{Bytes: MaxSize, Depth: 100}); err == nil {
			return "json"
		}
	}
	return ""
}

// interpreter is the language of what a #! line starts: /usr/bin/env -S python3.12 -u.
func interpreter(command string) string {
	for _, word := range strings.Fields(command) {
		word = strings.ToLower(path.Base(word))
		if word == "env" || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		return interpreters[strings.TrimRight(word, "0123456789.")]
	}
	return ""
}
