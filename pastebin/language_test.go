package pastebin_test

import (
	"slices"
	"strings"
	"testing"

	"stormbin/pastebin"
)

func TestGuess(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"main.go", "", "go"}, {"Main.JAVA", "", "java"}, {`C:\code\a.py`, "", "python"}, {"/tmp/x.tar/notes.md", "", "markdown"},
		{"Makefile", "", "make"}, {"Dockerfile", "", "docker"}, {"app.dockerfile", "", "docker"}, {".bashrc", "", "bash"}, {"a.tsx", "", "typescript"},
		{"notes.txt", "", ""}, {"archive.tar.gz", "", ""}, {"noextension", "", ""}, {"", "", ""},
		{"script", "#!/bin/sh\n", "bash"}, {"", "#!/usr/bin/env python3.12\nprint()", "python"}, {"", "#!/usr/bin/env -S node --flag\n", "javascript"},
		{"", "#!/opt/klingon\n", ""}, {"", "#!", ""}, {"photo", "#!/bin/sh\x00", ""},
		{"notes.txt", "#!/bin/sh\n", "bash"}, // the name says nothing
		{"", "<!DOCTYPE html>\n<p>", "html"}, {"", "\ufeff\n <?xml version='1.0'?>", "xml"}, {"", "<?php echo 1;", "php"},
		{"", "package main\n\nimport", "go"}, {"", "package com.example;\n", "java"}, {"", "package com.example\n", ""}, {"", "package deal of the week\n", ""},
		{"", "diff --git a/x b/x\n", "diff"}, {"", "#include <stdio.h>\n", "c"}, {"", "#include <iostream>\n", "cpp"},
		{"", "{\"a\": [1, 2]}\n", "json"}, {"", "{not json}", ""}, {"", "[1, 2", ""}, {"", "[]", "json"},
		{"", "Dear all,\nplease select from the list\n", ""}, {"", "# Heading or comment?\n", ""}, {"", "CREATE TABLE pastes (id text);", "sql"},
	} {
		if got := pastebin.Guess(test.name, []byte(test.text)); got != test.want {
			t.Errorf("%q with %q: %q, want %q", test.name, test.text, got, test.want)
		}
	}
}

func TestLanguages(t *testing.T) {
	seen := map[string]string{}
	for _, l := range pastebin.Languages {
		if l.Name == "" || l.Label == "" || len(l.Extensions) == 0 {
			t.Errorf("%+v lacks something", l)
		}
		for _, e := range append(slices.Clone(l.Extensions), "name "+l.Name) {
			if other, taken := seen[e]; taken {
				t.Errorf("%s has %q, which %s has", l.Label, e, other)
			}
			seen[e] = l.Label
		}
	}
	if !slices.IsSortedFunc(pastebin.Languages, func(a, b pastebin.Language) int {
		return strings.Compare(strings.ToLower(a.Label), strings.ToLower(b.Label))
	}) {
		t.Error("the labels are not in order")
	}
}

func FuzzGuess(f *testing.F) {
	f.Add("main.go", []byte("package main"))
	f.Add("", []byte("#!/usr/bin/env -S python3 -u"))
	f.Add("x.", []byte("#!"))
	f.Add(`\`, []byte("\ufeff{}"))
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		got := pastebin.Guess(name, text)
		if got != "" && !slices.ContainsFunc(pastebin.Languages, func(l pastebin.Language) bool { return l.Name == got }) {
			t.Errorf("%q with %q: %q is no language", name, text, got)
		}
	})
}
