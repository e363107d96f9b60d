// Package pasted reads the retry settings that somebody pastes: JSON, YAML of one document or several, or an AWS config file.
// What they mean is package imports' business.
//
//	pasted.go  which of the three it is
//	lines.go   what was found, line by line
package pasted

import (
	"errors"
	"fmt"
	"strings"

	"stormbin/engine/imports"
	"stormbin/engine/json"
)

// MostJSON and MostYAML are how many bytes are read.
const (
	MostJSON = 4 << 20
	MostYAML = 128 << 10
)

// Read finds the policies in a text. What is neither JSON nor an AWS config file is given to yaml, which writes it as JSON. The
// error is one line that a person can act on.
func Read(text string, yaml func(string) (string, error)) ([]imports.Found, error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("nothing is there yet")
	}
	limits := json.Limits{Bytes: MostJSON, Depth: 64}
	tree, err := json.Parse(text, "", limits)
	if err == nil {
		return imports.Read(tree)
	}
	if !errors.Is(err, json.ErrSyntax) {
		return nil, err
	}
	if isINI(text) {
		return imports.ReadAWSConfig(text)
	}
	if len(text) > MostYAML {
		return nil, fmt.Errorf("%w; and of YAML, %d bytes are more than the %d that are read: paste the part with the retries", err, len(text), MostYAML)
	}
	written, wrong := yaml(text)
	if wrong == nil {
		tree, wrong = json.Parse(written, "", limits)
	}
	switch {
	case wrong == nil:
		return imports.Read(tree)
	case strings.HasPrefix(strings.TrimSpace(text), "{"): // it was meant to be JSON
		return nil, err
	}
	return nil, wrong
}

// isINI tells an AWS config file by its first line that is no comment: the name of a section.
func isINI(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' && line[0] != ';' {
			return line[0] == '[' && strings.HasSuffix(line, "]") && !strings.ContainsAny(line, "{,:\"'")
		}
	}
	return false
}
