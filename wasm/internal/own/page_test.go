//go:build !js

package own

import (
	"html"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The page has the JSON of the first of the shapes, for before its program is there.
func TestThePageHasTheFirstSystem(t *testing.T) {
	page, err := os.ReadFile("../../../web/system.html")
	if err != nil {
		t.Fatal(err)
	}
	area := regexp.MustCompile(`(?s)<textarea id="json"[^>]*>(.*?)</textarea>`).FindStringSubmatch(string(page))
	if area == nil {
		t.Fatal("system.html has no textarea json")
	}
	if got, want := html.UnescapeString(area[1]), strings.TrimSuffix(ShapeText(Shapes()[0].ID), "\n"); got != want {
		t.Errorf("system.html has\n%s\nwant\n%s", got, want)
	}
}
