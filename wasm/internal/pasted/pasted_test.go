package pasted

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stormbin/engine/imports"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/yaml"
)

const route = `{"name": "shop", "match": {"prefix": "/"}, "route": {"cluster": "db", "timeout": "1s",
	"retry_policy": {"retry_on": "5xx,connect-failure", "num_retries": 2, "per_try_timeout": "0.25s", "host_selection_retry_max_attempts": 5}}}`

const routeYAML = `
# the shop's
name: shop
match: {prefix: /}
route:
  cluster: db
  timeout: 1s
  retry_policy:
    retry_on: "5xx,connect-failure"
    num_retries: 2
    per_try_timeout: 0.25s
    host_selection_retry_max_attempts: 5
`

// The same is found in JSON and in YAML, and in YAML of several documents.
func TestReadTheSameInJSONAndYAML(t *testing.T) {
	one, err := Read(route, yaml.JSON)
	if err != nil || len(one) != 1 {
		t.Fatalf("%v: %v", one, err)
	}
	two, err := Read(routeYAML, yaml.JSON)
	if err != nil || !reflect.DeepEqual(one, two) {
		t.Errorf("in YAML it is\n%+v, %v; in JSON\n%+v", two, err, one)
	}
	several, err := Read("---\n"+routeYAML+"---\nkind: ConfigMap\n---\n"+routeYAML+"...\n", yaml.JSON)
	if err != nil || len(several) != 2 || several[1].Path != "2" || several[1].Kind != one[0].Kind {
		t.Errorf("twice in three documents it is %+v, %v", several, err)
	}
	loose, err := Read(strings.Replace(route, `"num_retries": 2,`, "# two\n\"num_retries\": 2,", 1), yaml.JSON)
	if err != nil || len(loose) != 1 {
		t.Errorf("with a comment, as YAML allows it: %+v, %v", loose, err)
	}
}

// Each kind is taken for what it is.
func TestReadKinds(t *testing.T) {
	for text, kind := range map[string]string{
		"retryPolicy:\n  maxAttempts: 3\n": "",
		"methodConfig:\n- name: [{service: shop}]\n  retryPolicy: {maxAttempts: 3, initialBackoff: 0.1s, maxBackoff: 1s, backoffMultiplier: 2, retryableStatusCodes: [UNAVAILABLE]}\n":                                                     "gRPC method",
		"apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: shop}\nspec:\n  hosts: [shop]\n  http:\n  - route: [{destination: {host: shop}}]\n    timeout: 2s\n    retries: {attempts: 3, perTryTimeout: 500ms}\n": "Istio",
		"resilience4j:\n  retry:\n    instances:\n      shop: {maxAttempts: 4, waitDuration: 200ms}\n":                                                                                                                                     "resilience4j",
		"[profile shop]\nregion = eu-west-1\nmax_attempts = 5\nretry_mode = standard\n":                                                                                                                                                    "AWS",
	} {
		found, err := Read(text, yaml.JSON)
		if kind == "" {
			if err == nil {
				t.Errorf("%q: found %+v", text, found)
			}
			continue
		}
		if err != nil || len(found) == 0 || !strings.HasPrefix(found[0].Kind, kind) {
			t.Errorf("%q: %+v, %v", text, found, err)
		}
	}
}

// What is wrong is one line, that names the line.
func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "nothing is there",
		"a:\n  b: 1\n  b: 2":              "line 3: ",
		"a: [1, 2\nb: 3":                  "line 2: ",
		"a:\n\tb: 1":                      "line 2: ",
		"{\"a\": 1,\n\"b\" 2}":            "line 2: not JSON",
		"a: *b":                           "line 1: not YAML: *b stands for nothing that came before it",
		"a: &a [*a]":                      "*a stands for nothing",
		"hello":                           "known",
		strings.Repeat("[", 5000):         "objects and lists",
		strings.Repeat("- ", 5000):        "more than 100 objects and lists",
		strings.Repeat("a: 1\n", 1<<18):   "131072",
		strings.Repeat(`"`, 20_000):       "line 1: ",
		"kind: VirtualService\nspec: {}":  "known",
		"a: " + strings.Repeat("é", 1000): "known",
	} {
		found, err := Read(text, yaml.JSON)
		if err == nil {
			t.Errorf("%.40q: found %+v", text, found)
		} else if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 400 {
			t.Errorf("%.40q: %v; want something of %q in one line", text, err, want)
		}
	}
}

// Whatever is pasted, there is an answer, and what is found can be put on a call or says why not.
func TestReadAnything(t *testing.T) {
	s, _ := scenario.Find("two-service")
	samples := []string{route, routeYAML, "[default]\nmax_attempts = 3\n", "resilience4j.retry.instances.a.max-attempts: 3\n"}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(samples).Draw(t, "text")
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		text = text[:from] + rapid.StringOfN(rapid.RuneFrom([]rune("{}[]\",:&*!|>-? \n\t#1a")), 0, 20, -1).Draw(t, "between") + text[rapid.IntRange(from, len(text)).Draw(t, "to"):]
		found, err := Read(text, yaml.JSON)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		for _, f := range found {
			Lines(f, s, "b")
			if changed, err := f.Apply(s, "b"); err == nil && changed.Validate() != nil {
				t.Fatalf("%q: %v", text, changed.Validate())
			}
		}
	})
}

// Every setting is in one of the two lists: what it sets, or why it doesn't.
func TestLines(t *testing.T) {
	found, err := Read(route, yaml.JSON)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := scenario.Find("two-service")
	taken, left := Lines(found[0], s, "b")
	said := ""
	for _, h := range taken {
		said += h.From + " → " + strings.Join(h.To, ", ") + "\n"
	}
	for _, l := range left {
		said += l.Path + ": " + l.Why + "\n"
	}
	for _, part := range []string{
		"route.retry_policy.num_retries → policy.calls.b.attempts = 3\n",
		"route.retry_policy.per_try_timeout → policy.calls.b.timeout = \"250ms\"\n",
		"route.retry_policy.host_selection_retry_max_attempts: ",
	} {
		if !strings.Contains(said, part) {
			t.Errorf("nothing of %q in\n%s", part, said)
		}
	}
	if got := Heading(found[0]); got != "Envoy route “shop”" {
		t.Errorf("it is called %s", got)
	}
	if got := Heading(imports.Found{Kind: "AWS SDK"}); got != "AWS SDK" {
		t.Errorf("without a name it is called %s", got)
	}
}
