package own

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"stormbin/engine/json"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/view"
)

// MostName is how many characters the name of a system that is kept may have.
const MostName = 60

// Name is a name as it is kept, or why it can't be one.
func Name(typed string) (string, error) {
	name := strings.Join(strings.Fields(typed), " ")
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", fmt.Errorf("name: %q: must be something to know it by", typed)
	case n > MostName:
		return "", fmt.Errorf("name: %d characters: must be 1 to %d", n, MostName)
	}
	return name, nil
}

// FileName is what the file of a system of that name is called.
func FileName(name string) string {
	return slug(name) + ".json"
}

// slug is a name in the letters that a scenario's id may have.
func slug(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_')
	})
	s := strings.Join(words, "-")
	if s = strings.Trim(s[:min(len(s), 40)], "-"); s == "" {
		return "system"
	}
	return s
}

// Named is s as a link gives it away: with an id, by which the picture calls it.
func Named(s scenario.Scenario, name string) scenario.Scenario {
	if s.ID != "" {
		return s
	}
	s.ID = slug(name)
	if _, taken := scenario.Find(s.ID); taken {
		s.ID = "own-" + s.ID // no built-in's is as long as to make this too long
	}
	return s
}

// MostFile is how many bytes a file may have that is taken in.
const MostFile = 4 << 20

// ReadFile is the text of a file that holds a system, or why it holds none.
func ReadFile(name string, b []byte) (string, error) {
	said := json.Shorten(name)
	switch {
	case len(b) > MostFile:
		return "", fmt.Errorf("%s has %s; a system has at most %s", said, view.Bytes(int64(len(b))), view.Bytes(MostFile))
	case !utf8.Valid(b):
		return "", fmt.Errorf("%s is no text; a system is JSON, as it is exported here", said)
	}
	text := strings.TrimPrefix(string(b), "\uFEFF")
	if _, err := scenario.Parse([]byte(text)); err != nil {
		return "", fmt.Errorf("%s can’t be read: %w", said, err)
	}
	return text, nil
}
