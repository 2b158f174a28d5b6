package github

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// obeyed are the commands that a runner takes from a log (actions/runner, ActionCommandManager and ActionCommand.TryParseV2, TryParse).
func obeyed(log string) []string {
	var taken []string
	stopped := ""
	for line := range strings.SplitSeq(strings.ReplaceAll(log, "\r", "\n"), "\n") {
		trimmed := strings.TrimLeft(line, " \t")
		switch name, _, isCommand := strings.Cut(strings.TrimPrefix(trimmed, "::"), "::"); {
		case stopped != "":
			if trimmed == "::"+stopped+"::" {
				stopped = ""
			}
		case strings.HasPrefix(trimmed, "::stop-commands::"):
			stopped = strings.TrimPrefix(trimmed, "::stop-commands::")
		case strings.HasPrefix(trimmed, "::") && isCommand:
			taken = append(taken, name)
		case strings.Contains(line, "##["):
			taken = append(taken, line)
		}
	}
	return taken
}

var hostileText = []string{"\n", "\r", "::", "::set-output name=x::y", "::add-mask::a", "##[add-mask]a", "::stop-commands::x", "::x::", "%0A::error::", "%", ",file=x", ":", "a"}

// TestTextIsNoCommand: whatever is written to the log, and whatever an annotation says, the runner takes the annotation alone.
func TestTextIsNoCommand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			return strings.Join(rapid.SliceOf(rapid.SampledFrom(hostileText)).Draw(t, name), "")
		}
		var out strings.Builder
		log, err := NewLog(&out)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(log, text("before"))
		a := Annotation{Path: "a" + text("path"), StartLine: 3, EndLine: 3, Level: LevelWarning, Title: text("title"), Message: text("message")}
		if err := log.Annotate([]Annotation{a}, "x"); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(log, text("after"))
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		if taken := obeyed(out.String()); len(taken) != 1 || !strings.HasPrefix(taken[0], "warning file=a") {
			t.Fatalf("the runner takes %q of\n%s", taken, out.String())
		}
		if obeyed(out.String()+"::notice::x") == nil || !slices.Contains(obeyed(out.String()+"::notice::x"), "notice") {
			t.Fatal("the steps after this one cannot give commands")
		}
	})
}

func TestAnnotationsAreRolledUp(t *testing.T) {
	for _, c := range []struct{ failures, want, more int }{{0, 0, 0}, {10, 10, 0}, {11, 10, 2}, {500, 10, 491}} {
		var annotations []Annotation
		for i := range c.failures {
			annotations = append(annotations, Annotation{Path: "a.yaml", StartLine: i + 1, EndLine: i + 1, Level: LevelFailure, Message: "m"})
		}
		annotations = append(annotations, Annotation{Level: LevelNotice, Message: "n"})
		var out strings.Builder
		log, err := NewLog(&out)
		if err != nil {
			t.Fatal(err)
		}
		if err := log.Annotate(annotations, "the job summary has all"); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "\n::error "); n != c.want {
			t.Errorf("%d errors of %d, want %d", n, c.failures, c.want)
		}
		if said := fmt.Sprintf("::and %d more: the job summary has all\n", c.more); strings.Contains(out.String(), said) != (c.more > 0) {
			t.Errorf("of %d: %s", c.failures, out.String())
		}
		if !strings.Contains(out.String(), "\n::notice::n\n") {
			t.Errorf("the notice is lost:\n%s", out.String())
		}
	}
}

func TestCommandsAreEscaped(t *testing.T) {
	var out strings.Builder
	log, err := NewLog(&out)
	if err != nil {
		t.Fatal(err)
	}
	a := Annotation{Path: "a,b:c%.yaml", StartLine: 1, EndLine: 2, Level: LevelFailure, Title: "t: 1,2", Message: "50 %\r\nof: a, b"}
	if err := log.Annotate([]Annotation{a}, ""); err != nil {
		t.Fatal(err)
	}
	want := "::error file=a%2Cb%3Ac%25.yaml,line=1,endLine=2,title=t%3A 1%2C2::50 %25%0D%0Aof: a, b\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("%s, want %s", out.String(), want)
	}
	if regexp.MustCompile(`stop-commands::routedelta-[A-Z0-9]{20,}`).FindString(out.String()) == "" {
		t.Errorf("no token in %s", out.String())
	}
}
