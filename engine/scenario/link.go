package scenario

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"stormbin/engine/json"
)

// Links are fragments of the page's address that name a scenario:
//
//	#v1/ID?path=value&…      a built-in, and what differs from it. The paths are Set's, the values as people type them. A
//	                         list of words is written with commas. What was changed while it ran has its time in front:
//	                         12s@path=value. Each of those takes its place in the list of changes, and each
//	                         fault=target,kind*factor,at,for in the list of what breaks, which begin empty then; without
//	                         *factor one of a kind that has a number does nothing, see [Link.Bare];
//	                         changes=none and faults=none are the empty lists.
//	#v1z/DEFLATED.LENGTH.CRC any other: base64url of deflated JSON, how many characters that is, and the CRC-32 of the
//	                         JSON, eight hexadecimal digits.
//
// What else is in there, like where to begin to look, is the page's: see [Link.Rest].
const (
	plainLink  = "v1/"
	packedLink = "v1z/"
)

// MaxLink is how many characters a link may have that is taken in.
const MaxLink = 100_000

// Link is what a fragment says.
type Link struct {
	Scenario Scenario // valid
	// Rest is the parameters that are no path of a scenario, in order, their values unescaped.
	Rest []Parameter
	// Twice is what is given more than once, and differently, each as its last path=value, which is the one that holds.
	// String leaves it out.
	Twice []string
	// Bare is each fault that does nothing, as its number is left out. Links mean that since there are any. String writes it
	// with the number that changes nothing, as slow*1.
	Bare []Bare
}

// Bare is a fault=target,kind of a link whose kind has a number that isn't there.
type Bare struct {
	Given string // fault=b,slow,3s
	Usual string // fault=b,slow*10,3s: what does something, see [Usual]
}

// Parameter is a part of a link, like view=storm.
type Parameter struct{ Key, Value string }

// besides is what a page or an embed takes that is no part of a scenario.
var besides = []string{"t", "view", "against", "controls", "theme", "lang", "autoplay"}

// words are what may stand there, where it is one of a few words.
func (p Parameter) words() []string {
	few := ""
	switch p.Key {
	case "view":
		few = "path,storm,slots,charts,compare"
	case "controls":
		few = "play,scrub,policy,faults,none"
	case "theme":
		few = "light,dark"
	case "lang":
		few = "en"
	case "autoplay":
		few = "0,1"
	}
	return strings.Split(few, ",")
}

// Strange is what of its value means nothing there, where it is one of a few words: of controls, which are several, each such
// word.
func (p Parameter) Strange() (all []string) {
	given := []string{strings.TrimRight(p.Value, sentence)}
	if p.Key == "controls" {
		given = strings.Split(given[0], ",")
	}
	words := p.words()
	for _, word := range given {
		if word == "" || !slices.Contains(words, word) && (p.Key != "view" || word != "chart") { // as some call the charts
			all = append(all, word)
		}
	}
	return all
}

// Doubts is the error for what of the link can't have been meant so: what of Rest means nothing to anybody, as a path that is
// misspelt, a t that is no time or a view that there is not, and settings of the run in Twice; nil if there is nothing. A page
// says so and goes on without it.
func (l Link) Doubts() error {
	var wrongs []error
	for _, p := range l.Rest {
		_, instant := ParseInstant(p.Value)
		switch {
		case len(wrongs) == mostFound:
		case !slices.Contains(besides, p.Key):
			known := append(fieldNames(reflect.TypeFor[Scenario]()), besides...)
			wrongs = append(wrongs, fmt.Errorf("%s: means nothing in a link; must be left out, or one of %s", json.Shorten(strconv.Quote(p.Key+"="+p.Value)), Nearest(p.Key, known)))
		case p.Key == "t" && !instant:
			wrongs = append(wrongs, problem("t", p.Value, "a time, like 5s"))
		case p.Key != "t" && p.Key != "against":
			for _, word := range p.Strange() {
				wrongs = append(wrongs, problem(p.Key, word, oneOf(word, p.words())))
			}
		}
	}
	for _, last := range l.Twice {
		if key, _, _ := strings.Cut(last, "="); !slices.Contains(besides, key) {
			wrongs = append(wrongs, fmt.Errorf("%s: is given more than once, and differently; must be given once", json.Shorten(last)))
		}
	}
	return Join(wrongs...)
}

// Instant is when in its run a link is opened, by its parameter t; false if it doesn't say.
func (l Link) Instant() (at time.Duration, ok bool) {
	for _, p := range l.Rest {
		if p.Key == "t" {
			if t, is := ParseInstant(p.Value); is {
				at, ok = t, true
			}
		}
	}
	return at, ok
}

// ParseInstant reads the value of t, a time with its unit or in seconds; false if it is none.
func ParseInstant(text string) (time.Duration, bool) {
	text = strings.TrimRight(text, sentence)
	at, err := time.ParseDuration(text)
	if err != nil {
		at, err = time.ParseDuration(text + "s")
	}
	return at, err == nil && at >= 0
}

// ErrNotALink is the error for a fragment that means something else, or nothing.
var ErrNotALink = errors.New("not a link to a scenario")

// BadLink is the error for a link to a scenario that can't be followed.
type BadLink struct {
	Reason string // for the reader: whole sentences
}

func (e *BadLink) Error() string { return e.Reason }

func badLink(format string, args ...any) error { return &BadLink{fmt.Sprintf(format, args...)} }

// String is the fragment, with the # in front. [ParseLink] reads it back.
func (l Link) String() string {
	var b strings.Builder
	b.WriteByte('#')
	builtIn, ok := Find(l.Scenario.ID)
	var settings []Parameter
	if ok {
		settings, ok = parameters(builtIn, l.Scenario)
	}
	if !ok {
		b.WriteString(packedLink + pack(l.Scenario))
	} else {
		b.WriteString(plainLink + escape(l.Scenario.ID))
	}
	separator := "?"
	for _, p := range append(settings, l.Rest...) {
		b.WriteString(separator + escape(p.Key) + "=" + escape(p.Value))
		separator = "&"
	}
	return b.String()
}

// parameters is what makes s of the built-in; false if that would be no shorter to read than all of it.
func parameters(builtIn, s Scenario) (all []Parameter, ok bool) {
	faults, changes := s.Faults, s.Changes
	if !slices.Equal(faults, builtIn.Faults) {
		for _, f := range faults {
			all = append(all, Parameter{"fault", f.String()})
		}
		if len(faults) == 0 {
			all = append(all, Parameter{"faults", "none"})
		}
	}
	s.Faults, s.Changes = builtIn.Faults, builtIn.Changes
	var settings []Parameter
	for _, c := range Diff(builtIn, s) {
		value, ok := c.text()
		if !ok {
			return nil, false
		}
		settings = append(settings, Parameter{c.Path, value})
	}
	all = append(settings, all...)
	if len(Diff(Scenario{Changes: builtIn.Changes}, Scenario{Changes: changes})) == 0 {
		return all, true
	}
	for _, c := range changes {
		value, ok := c.text()
		if !ok {
			return nil, false
		}
		all = append(all, Parameter{c.At.String() + "@" + c.Path, value})
	}
	if len(changes) == 0 {
		all = append(all, Parameter{"changes", "none"})
	}
	return all, true
}

// text is a change's value as it stands in a link; false if it is something of many parts.
func (c Change) text() (string, bool) {
	tree, err := treeOf(reflect.ValueOf(c.Value), c.Path)
	if err != nil {
		return "", false
	}
	switch v := tree.(type) {
	case json.Object:
		return "", false
	case string:
		if _, err := json.Parse(v, c.Path, limits); err == nil { // it would be read as something else
			return string(json.AppendString(nil, v)), true
		}
		return v, true
	case []any:
		if words, ok := wordsOf(v); ok {
			return words, true
		}
	}
	return string(json.Append(nil, tree, "")), true
}

// wordsOf is a list of words with commas between them; false if it is another list.
func wordsOf(list []any) (string, bool) {
	var words []string
	for _, v := range list {
		word, ok := v.(string)
		if !ok || word == "" || strings.ContainsAny(word, ",[]{}\"") {
			return "", false
		}
		words = append(words, word)
	}
	return strings.Join(words, ","), len(words) > 0
}

// String is the fault as it stands in a link: b,slow*8,3s,3s. Without the last it doesn't end.
func (f Fault) String() string {
	short := f.Target + "," + f.Kind
	switch {
	case isShare(f.Kind):
		short += "*" + strconv.FormatFloat(f.P, 'g', -1, 64)
	case f.Factor != 1 || Usual(f.Kind) != 0:
		short += "*" + strconv.FormatFloat(f.Factor, 'g', -1, 64)
	}
	short += "," + f.At.String()
	if f.For != 0 {
		short += "," + f.For.String()
	}
	if read, err := parseFault(short); err == nil && read == f {
		return short
	}
	return string(json.Append(nil, mustTree(reflect.ValueOf(f)), ""))
}

// isShare tells whether the number of a kind of fault is the share of what fails, and not a factor.
func isShare(kind string) bool { return kind == "flaky" || kind == "lose" }

// Usual is what the number of a kind of fault usually is, its factor or its share: more than 0, and something that it does.
// 0: it has no number.
func Usual(kind string) float64 {
	switch kind {
	case "slow":
		return 10
	case "flaky", "lose":
		return .2
	case "capacity":
		return .5
	case "surge":
		return 2
	}
	return 0
}

// parseFault reads what link writes.
func parseFault(text string) (f Fault, err error) {
	if strings.HasPrefix(text, "{") {
		var s Scenario
		if err := SetText(&s, "faults", "["+text+"]"); err != nil {
			return f, err
		}
		return s.Faults[0], nil
	}
	parts := strings.Split(text, ",")
	if len(parts) < 2 || len(parts) > 4 {
		return f, fmt.Errorf("fault: %s: must be like b,slow*8,3s,3s: what, how, from when and for how long", json.Shorten(strconv.Quote(text)))
	}
	f.Target, f.Factor = parts[0], 1
	kind, amount, some := strings.Cut(parts[1], "*")
	f.Kind = kind
	if some {
		x, err := strconv.ParseFloat(amount, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return f, fmt.Errorf("fault: %s: must be a number after the *, like slow*8", json.Shorten(strconv.Quote(text)))
		}
		if isShare(kind) {
			f.P = x
		} else {
			f.Factor = x
		}
	}
	for i, to := range []*Duration{&f.At, &f.For} {
		if len(parts) > 2+i {
			if *to, err = parseDuration(parts[2+i], "fault"); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}

// parseDuration reads one that stands in a link by itself. Its range is Validate's to check.
func parseDuration(text, path string) (Duration, error) {
	t, err := time.ParseDuration(text)
	if err != nil {
		return 0, problem(path, text, aDuration+anyTime())
	}
	return Duration(t), nil
}

// pack is a scenario as it stands in a packed link.
func pack(s Scenario) string {
	text, err := s.Short()
	if err != nil {
		panic("scenario: a link to a scenario that is not valid: " + err.Error())
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the error is for other levels
	w.Write(text)
	w.Close()
	payload := base64.RawURLEncoding.EncodeToString(b.Bytes())
	return fmt.Sprintf("%s.%d.%08x", payload, len(payload), crc32.ChecksumIEEE(text))
}

// ParseLink reads a fragment, with the # in front or without. It takes one that was percent-encoded once more on its way,
// or that ends in punctuation of the sentence it stood in. The error is ErrNotALink, or a [*BadLink] that says what is
// wrong: it is never another scenario than the one that was meant.
func ParseLink(fragment string) (Link, error) {
	link := strings.TrimLeft(fragment, "#")
	for range 3 { // programs that pass links on may encode them more than once; what names the scenario has no % of its own
		if i := strings.IndexAny(link, "%?&"); i < 0 || link[i] != '%' {
			break
		}
		link = strings.TrimLeft(unescape(link), "#")
	}
	version, rest, found := strings.Cut(link, "/")
	if !isVersion(version) {
		return Link{}, ErrNotALink
	}
	switch {
	case len(link) > MaxLink:
		return Link{}, badLink("This link has %d characters, and %d are the most that is taken in.", len(link), MaxLink)
	case version+"/" != plainLink && version+"/" != packedLink:
		return Link{}, badLink("This link has version %s, and this page reads v1 and v1z. Load the page anew; if that does not help, the link was altered.", json.Shorten(version))
	case !found || rest == "":
		return Link{}, badLink("The link was cut: it ends before the scenario’s name. Copy it again from where it was made.")
	}
	name, query := rest, ""
	if i := strings.IndexAny(rest, "?&"); i >= 0 { // & is what some who write one by hand begin with
		name, query = rest[:i], rest[i+1:]
	}
	var l Link
	if version+"/" == packedLink {
		s, err := unpack(name, query == "")
		if err != nil {
			return Link{}, err
		}
		l.Scenario = s
	} else {
		s, err := builtInNamed(name)
		if err != nil {
			return Link{}, err
		}
		l.Scenario = s
	}
	itsOwn, wrong := l.read(query)
	invalid := l.Scenario.Validate()
	if itsOwn {
		invalid = l.asFaults(invalid)
	}
	if err := Join(wrong, invalid); err != nil {
		return Link{}, badLink("The link says what can’t be: %s.", Join(err, l.Doubts()))
	}
	return l, nil
}

// asFaults is err with each fault called what it is called in the link: not faults.0, but fault=b,slow*8,3s,3s.
func (l *Link) asFaults(err error) error {
	var all []error
	for _, one := range Each(err) {
		index, rest, _ := strings.Cut(strings.TrimPrefix(one.Error(), "faults."), ".")
		if i, bad := strconv.Atoi(index); bad == nil && i < len(l.Scenario.Faults) {
			one = fmt.Errorf("fault=%s: %s", json.Shorten(l.Scenario.Faults[i].String()), rest)
		}
		all = append(all, one)
	}
	more := 0
	if several := (*Problems)(nil); errors.As(err, &several) {
		more = several.More
	}
	return joined(all, more)
}

func isVersion(s string) bool {
	digits := strings.TrimSuffix(strings.TrimPrefix(s, "v"), "z")
	return strings.HasPrefix(s, "v") && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// sentence is what may stand behind a link in a text.
const sentence = ".,;:!?)>]}'\"’”»… \t\r\n"

func builtInNamed(name string) (Scenario, error) {
	name = json.ToUTF8(unescape(name))
	for _, id := range []string{name, strings.TrimRight(name, sentence)} {
		if s, ok := Find(id); ok {
			return s, nil
		}
	}
	return Scenario{}, badLink("There is no scenario %s; must be %s.", json.Shorten(strconv.Quote(name)), oneOf(name, ids()))
}

func ids() (all []string) {
	for _, e := range List() {
		all = append(all, e.ID)
	}
	return all
}

// read takes in the parameters, as many as can be read. faults tells whether the built-in's have given way to the link's.
func (l *Link) read(query string) (faults bool, err error) {
	changes := false // so have those
	given := contradictions{last: map[string]string{}}
	var wrongs []error
	parts := strings.Split(query, "&")
	for i, part := range parts {
		key, value, _ := strings.Cut(strings.TrimPrefix(part, "amp;"), "=") // out of a page's source
		if key == "" {
			continue
		}
		key, value = json.ToUTF8(unescape(key)), json.ToUTF8(unescape(value))
		try := func(value string) error {
			switch at, path, timed := strings.Cut(key, "@"); {
			case key == "fault":
				f, err := parseFault(value)
				if err != nil {
					return err
				}
				if !faults {
					l.Scenario.Faults, faults = nil, true
				}
				l.Scenario.Faults = append(l.Scenario.Faults, f)
				l.noteBare(f, value)
				return nil
			case key == "faults" && value == "none":
				l.Scenario.Faults = nil
				return nil
			case key == "changes" && value == "none":
				l.Scenario.Changes = nil
				return nil
			case timed && strings.Contains(path, "."):
				c, err := l.later(at, path, value)
				if err != nil {
					return err
				}
				if !changes {
					l.Scenario.Changes, changes = nil, true
				}
				l.Scenario.Changes = append(l.Scenario.Changes, c)
				return nil
			case isPath(key):
				return setText(&l.Scenario, key, value)
			}
			l.Rest = append(l.Rest, Parameter{key, value})
			return nil
		}
		err := try(value)
		if trimmed := strings.TrimRight(value, sentence); err != nil && i == len(parts)-1 && trimmed != value && try(trimmed) == nil {
			err, value = nil, trimmed
		}
		if err != nil {
			wrongs = append(wrongs, err)
		} else {
			given.note(key, value)
		}
		if len(wrongs) == mostFound {
			break
		}
	}
	for _, key := range given.keys {
		l.Twice = append(l.Twice, key+"="+given.last[key])
	}
	return faults, Join(wrongs...)
}

// noteBare notes a fault as it was given if it lacks its number.
func (l *Link) noteBare(f Fault, given string) {
	x := Usual(f.Kind)
	if x == 0 || strings.ContainsAny(given, "*{") {
		return // it has none, or has it
	}
	if isShare(f.Kind) {
		f.P = x
	} else {
		f.Factor = x
	}
	l.Bare = append(l.Bare, Bare{"fault=" + given, "fault=" + f.String()})
}

// contradictions are what of a link is given more than once, and differently: in what may only be given once.
type contradictions struct {
	last map[string]string // by path, also of what is given once
	keys []string
}

func (c *contradictions) note(key, value string) {
	if !isPath(key) && (value == "" || key != "view" && key != "against") {
		return
	}
	if before, twice := c.last[key]; twice && before != value && !slices.Contains(c.keys, key) {
		c.keys = append(c.keys, key)
	}
	c.last[key] = value
}

// unescape undoes percent-encoding; a % with no two digits after it is left as it is.
func unescape(s string) string {
	var plain []byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				c, i = byte(n), i+2
			}
		}
		plain = append(plain, c)
	}
	return string(plain)
}

// isPath tells whether a parameter is a setting of a scenario: one that is misspelt is, too.
func isPath(key string) bool {
	top, _, deep := strings.Cut(key, ".")
	return deep || slices.Contains(fieldNames(reflect.ValueOf(Scenario{}).Type()), top)
}

// later is a change on the timeline.
func (l *Link) later(at, path, text string) (c Change, err error) {
	c.Path = path
	if c.At, err = parseDuration(at, path); err != nil {
		return c, err
	}
	if tree, err := json.Parse(text, path, limits); err == nil {
		var p problems
		if c.Value = p.plain(tree, path); p.any() {
			return c, p.err()
		}
	} else if probe := l.Scenario.Clone(); Set(&probe, path, text) == nil {
		c.Value = text
	} else {
		c.Value = words(text)
	}
	return c, nil
}

// setText is SetText that also takes a list of words with commas.
func setText(s *Scenario, path, text string) error {
	err := SetText(s, path, text)
	if _, bad := json.Parse(text, path, limits); err != nil && bad != nil && Set(s, path, words(text)) == nil {
		return nil
	}
	return err
}

func words(text string) (list []any) {
	for _, word := range strings.Split(text, ",") {
		list = append(list, word)
	}
	return list
}

// unpack reads what pack writes. last says that nothing comes after it.
func unpack(text string, last bool) (Scenario, error) {
	if last {
		text = strings.TrimRight(text, sentence)
	}
	cut := badLink("The link was cut: its end is missing. Ask for the whole link, or copy it again.")
	altered := badLink("The link was altered: its content does not match its checksum. Copy it again from where it was made.")
	parts := strings.Split(text, ".")
	if len(parts) > 3 {
		return Scenario{}, altered
	}
	if len(parts) < 3 || len(parts[2]) < 8 {
		return Scenario{}, cut
	}
	length, err := strconv.Atoi(parts[1])
	if err != nil {
		return Scenario{}, altered
	}
	if missing := length - len(parts[0]); missing > 0 {
		return Scenario{}, badLink("The link was cut: %d of the %d characters of its content are missing. Ask for the whole link, or copy it again.", missing, length)
	}
	packed, err := base64.RawURLEncoding.Strict().DecodeString(parts[0])
	if err != nil || length != len(parts[0]) {
		return Scenario{}, altered
	}
	in := bytes.NewReader(packed)
	all, err := io.ReadAll(io.LimitReader(flate.NewReader(in), int64(limits.Bytes)+1))
	if err != nil || in.Len() > 0 || parts[2] != fmt.Sprintf("%08x", crc32.ChecksumIEEE(all)) {
		return Scenario{}, altered
	}
	s, err := Parse(all)
	if err != nil {
		return Scenario{}, badLink("The link says what can’t be: %s.", err)
	}
	return s, nil
}

// escape leaves what is readable and may stand in a fragment as it is.
func escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b []byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if letter || strings.IndexByte("-._~!*,:@/", c) >= 0 {
			b = append(b, c)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}
