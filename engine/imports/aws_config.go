package imports

import (
	"fmt"
	"strings"
)

// ReadAWSConfig finds the policies in the text of an AWS config file, like ~/.aws/config: one for each profile that says
// something of retries. Errors are as those of [Read], and never show a line, as a key may stand in it.
func ReadAWSConfig(text string) ([]Found, error) {
	file := map[string]any{}
	var section, nested map[string]any
	for i, line := range strings.Split(text, "\n") {
		bare := strings.TrimSpace(line)
		name, value, is := strings.Cut(bare, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case bare == "" || bare[0] == '#' || bare[0] == ';':
		case bare[0] == '[' && strings.HasSuffix(bare, "]"):
			title := strings.Join(strings.Fields(bare[1:len(bare)-1]), " ")
			section, nested = map[string]any{}, nil
			if had, ok := file[title].(map[string]any); ok {
				section = had
			}
			file[title] = section
		case section == nil || !is || name == "":
			return nil, fmt.Errorf("line %d: must be a [section], or in one a setting like max_attempts = 3", i+1)
		case line[0] == ' ' || line[0] == '\t':
			if nested == nil {
				return nil, fmt.Errorf("line %d: must begin at the margin, as the line before is no setting with others below it", i+1)
			}
			nested[name] = value
		default:
			nested = nil
			section[name] = value
			if value == "" {
				nested = map[string]any{}
				section[name] = nested
			}
		}
	}
	top, err := nodeOf(file)
	if err != nil {
		return nil, err
	}
	d := newDocument(top)
	for _, section := range top.entries {
		if awsMode(section) != nil || awsAttempts(section) != nil {
			readAWS(section, d)
		}
	}
	if d.err == nil && len(d.found) == 0 {
		d.err = fmt.Errorf("%w: must have max_attempts or retry_mode in a section", ErrNothing)
	}
	if d.err != nil {
		return nil, d.err
	}
	return d.found, nil
}
