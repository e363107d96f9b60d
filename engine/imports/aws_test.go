package imports_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/imports"
	"stormbin/engine/scenario"
)

const boto3 = `{"retries": {"total_max_attempts": 4, "max_attempts": 9, "mode": "standard"}, "connect_timeout": 5, "read_timeout": 2.5, "max_pool_connections": 50}`

func TestAWS(t *testing.T) {
	all := []string{"timeout", "error", "refused", "lost", "shed"}
	for _, c := range []struct {
		name, text string
		want       map[string]any // beside backoff and retry_on
	}{
		{"shared config", `{"max_attempts": "5", "retry_mode": "adaptive", "region": "eu-west-1"}`, map[string]any{"call.attempts": 5}},
		{"environment", `{"AWS_MAX_ATTEMPTS": "2", "AWS_REGION": "eu-west-1"}`, map[string]any{"call.attempts": 2}},
		{"Java, a bounded call", `{"retryMode": "STANDARD", "apiCallTimeout": "PT2S", "apiCallAttemptTimeout": "PT0.8S"}`, map[string]any{"call.attempts": 3, "call.timeout": "800ms"}},
		{"Java, of ten attempts three begin", `{"maxAttempts": 10, "apiCallTimeout": "2s", "apiCallAttemptTimeout": "800ms", "connectionTimeout": "1s"}`, map[string]any{"call.attempts": 3, "call.timeout": "800ms"}},
		{"Java, all attempts together", `{"apiCallTimeout": "2s"}`, map[string]any{"call.attempts": 3, "call.timeout": "2s"}},
		{"JavaScript", `{"maxAttempts": 4, "retryMode": "standard", "requestHandler": {"connectionTimeout": 500, "requestTimeout": 1500}}`, map[string]any{"call.attempts": 4, "call.timeout": "1.5s"}},
		{"Go", `{"RetryMaxAttempts": 6, "RetryMode": "standard"}`, map[string]any{"call.attempts": 6}},
		{"boto3, in all", boto3, map[string]any{"call.attempts": 4, "call.timeout": "2.5s"}},
		{"boto3, after the first", `{"retries": {"max_attempts": 2}, "read_timeout": 60}`, map[string]any{"call.attempts": 3, "call.timeout": "1m0s"}},
		{"legacy", `{"retry_mode": "legacy"}`, map[string]any{"call.attempts": 5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			allIsToldOf(t, c.text)
			found := read(t, c.text)
			if len(found) != 1 || found[0].Kind != "AWS SDK settings" {
				t.Fatalf("%+v", found)
			}
			for to, v := range map[string]any{"call.backoff.kind": "exponential", "call.backoff.base": "1s", "call.backoff.max": "20s", "call.jitter": "full", "call.retry_on": all} {
				c.want[to] = v
			}
			if diff := cmp.Diff(c.want, settings(found[0])); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAWSErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"retry_mode": "standart"}`, `retry_mode: "standart": must be one of standard, legacy, adaptive`},
		{`{"max_attempts": 0, "retry_mode": "standard"}`, "max_attempts: 0: must be a whole number, 1 or more"},
		{`{"apiCallTimeout": 2}`, `apiCallTimeout: 2: must be a duration, like "0.25s"`},
		{`{"retries": {"mode": "standard"}, "read_timeout": "soon"}`, `read_timeout: "soon": must be a duration, like "250ms", or a number of seconds`},
	} {
		_, err := imports.Read(tree(t, c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%v\nmust say\n%s", c.text, err, c.want)
		}
	}
}

const awsConfig = `# mine
[default]
region = eu-west-1
aws_secret_access_key = do+not=show
s3 =
    max_concurrent_requests = 20
    addressing_style = path

[profile  batch]
max_attempts=8
retry_mode = standard
; an empty section
[profile empty]
`

func TestAWSConfig(t *testing.T) {
	found, err := imports.ReadAWSConfig(awsConfig)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Name != "profile batch" || settings(found[0])["call.attempts"] != 8 {
		t.Errorf("%+v", found)
	}
	s, _ := scenario.Find("two-service")
	if s, err = found[0].Apply(s, "b"); err != nil || s.Policy.Calls["b"].Attempts != 8 {
		t.Errorf("%v, %+v", err, s.Policy.Calls["b"])
	}
	with := strings.Replace(awsConfig, "region = eu-west-1", "region = eu-west-1\r\nmax_attempts = 4\r", 1)
	if found, err = imports.ReadAWSConfig(with); err != nil || len(found) != 2 || settings(found[0])["call.attempts"] != 4 {
		t.Fatalf("%v, %+v", err, found)
	}
	for _, l := range found[0].Left {
		if strings.Contains(l.Why, "show") {
			t.Errorf("a secret is shown: %+v", l)
		}
	}
}

// An error shows the line's number, and not what stands there.
func TestAWSConfigErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"max_attempts = 3", "line 1: must be a [section]"},
		{"[default]\nsecret", "line 2: must be a [section], or in one a setting"},
		{"[default]\n= secret", "line 2: must be a [section], or in one a setting"},
		{"[default]\nregion = x\n  secret = 1", "line 3: must begin at the margin"},
		{"[default]\nmax_attempts = many\nretry_mode = standard", `default.max_attempts: "many": must be a whole number, 1 or more`},
	} {
		_, err := imports.ReadAWSConfig(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v\nmust say %s, and no more", c.text, err, c.want)
		}
	}
	if _, err := imports.ReadAWSConfig("[default]\nregion = x\n"); !errors.Is(err, imports.ErrNothing) {
		t.Errorf("%v: it says nothing of retries", err)
	}
}
