package schema

import (
	"fmt"
	"sync"

	"github.com/google/cel-go/cel"
	celast "github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/interpreter"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
	"google.golang.org/protobuf/proto"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	celfunctions "k8s.io/apiserver/pkg/cel/library"

	"github.com/routedelta/routedelta/render/schema/internal/bundle"
)

// rules are the CEL rules of one schema node. They are asked in two ways: as one expression that was compiled when the
// definitions were embedded, to see quickly that all hold, and by the library, which takes a hundred times as long to compile
// them and says which fails.
type rules struct {
	*expression
	// validator is the library's, of this node alone.
	validator func() *schemacel.Validator
}

// rulebook shares the expressions of equal rules.
type rulebook struct {
	archive     func() (bundle.Archive, error)
	known       sync.Map // name in the archive to *expression
	environment func() (*cel.Env, error)
}

// of gives the rules of a schema node.
func (b *rulebook) of(s *structuralschema.Structural, root bool) *rules {
	texts := make([]string, len(s.XValidations))
	for i, rule := range s.XValidations {
		texts[i] = rule.Rule
	}
	name := bundle.RulesName(texts)
	shared, _ := b.known.LoadOrStore(name, &expression{plan: sync.OnceValues(func() (plan, error) { return b.plan(name) })})
	return &rules{
		expression: shared.(*expression),
		validator: sync.OnceValue(func() *schemacel.Validator {
			return schemacel.NewValidator(withoutInnerRules(s), root, celconfig.PerCallLimit)
		}),
	}
}

// withoutInnerRules is a schema whose rules are those of its root only.
func withoutInnerRules(s *structuralschema.Structural) *structuralschema.Structural {
	own := s.DeepCopy()
	rules := own.XValidations
	dropRules(own)
	own.XValidations = rules
	return own
}

func dropRules(s *structuralschema.Structural) {
	s.XValidations = nil
	for name, property := range s.Properties {
		dropRules(&property)
		s.Properties[name] = property
	}
	if s.Items != nil {
		dropRules(s.Items)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		dropRules(s.AdditionalProperties.Structural)
	}
}

// expression is true of a value for which all rules hold that bear on a new object.
type expression struct{ plan func() (plan, error) }

// plan is an expression ready to run.
type plan struct {
	program cel.Program
	// counted is the same with a count of its cost.
	counted func() (cel.Program, error)
	// size, nesting and weight bound the cost: see bound.
	size, nesting int
	weight        float64
	// reads is what the expression reads of a value, and known where it is true.
	reads *reads
	known *answers
}

// plan reads an expression. The environment has what the rules of these definitions call and no more, since planning takes time
// for each function there is; a rule that calls another one has no plan, and the library is asked.
func (b *rulebook) plan(name string) (plan, error) {
	archive, err := b.archive()
	if err != nil {
		return plan{}, err
	}
	data, err := archive.Read(name)
	if err != nil {
		return plan{}, err
	}
	checked := new(exprpb.CheckedExpr)
	if err := proto.Unmarshal(data, checked); err != nil {
		return plan{}, fmt.Errorf("reading %s: %w", name, err)
	}
	environment, err := b.environment()
	if err != nil {
		return plan{}, err
	}
	ast := cel.CheckedExprToAst(checked)
	program, err := environment.Program(ast, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return plan{}, fmt.Errorf("planning %s: %w", name, err)
	}
	ready := plan{program: program, reads: readsOf(ast.NativeRep().Expr()), known: &answers{}, counted: sync.OnceValues(func() (cel.Program, error) {
		return environment.Program(ast, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(celconfig.PerCallLimit),
			cel.CostTracking(&celfunctions.CostEstimator{}), cel.CostTrackerOptions(interpreter.PresenceTestHasCost(false)))
	})}
	ready.measure(ast.NativeRep().Expr())
	return ready, nil
}

func newEnvironment() (*cel.Env, error) {
	return cel.NewEnv(cel.ClearMacros(), ext.Strings(ext.StringsVersion(2)), celfunctions.IP())
}

// measure finds what bounds the cost of an expression.
func (p *plan) measure(e celast.Expr) {
	longest, matching := 0, false
	p.nesting = nesting(celast.NavigateExpr(nil, e))
	celast.PostOrderVisit(e, celast.NewExprVisitor(func(e celast.Expr) {
		p.size++
		switch e.Kind() {
		case celast.LiteralKind:
			if text, is := e.AsLiteral().(types.String); is {
				longest = max(longest, len(text))
			}
		case celast.CallKind:
			matching = matching || e.AsCall().FunctionName() == "matches"
		}
	}))
	p.weight = 0.1
	if matching {
		p.weight *= max(1, float64(longest)/4)
	}
}

// nesting is how many comprehensions stand in each other.
func nesting(e celast.NavigableExpr) int {
	deepest := 0
	for _, child := range e.Children() {
		deepest = max(deepest, nesting(child))
	}
	if e.Kind() == celast.ComprehensionKind {
		deepest++
	}
	return deepest
}

// bound is at least the cost of an expression on a value. Each step of an expression costs 1, but for what goes through a text,
// which costs a tenth of its length, a match a quarter of the length of its pattern times that (apiserver, pkg/cel/library/cost.go),
// and for what goes through a list; steps inside a comprehension are done once for each item.
func (p *plan) bound(size extent) float64 {
	cost := float64(p.size) * (1 + p.weight*float64(size.longestText))
	for range max(1, p.nesting) {
		cost *= float64(size.longestList + 1)
	}
	return cost
}

// hold tells whether all rules hold for a value and what that has cost at most. Where the cost can be so high that the server
// gives up, it is counted. room is for what a value is known by; it is used again.
func (e *expression) hold(value any, size extent, room *[]byte) (cost int64, hold bool) {
	plan, err := e.plan()
	if err != nil {
		return 0, false
	}
	bound := plan.bound(size)
	if bound <= celconfig.PerCallLimit/10 {
		return int64(bound), plan.isTrue(value, room)
	}
	program, err := plan.counted()
	if err != nil {
		return 0, false
	}
	result, details, err := program.Eval(self{value})
	if err != nil || details.ActualCost() == nil {
		return 0, false
	}
	return int64(*details.ActualCost()), result == types.True
}

// isTrue tells whether the expression is true of a value.
func (p *plan) isTrue(value any, room *[]byte) bool {
	key := p.reads.append((*room)[:0], value)
	*room = key
	if p.known.know(key) {
		return true
	}
	result, _, err := p.program.Eval(self{value})
	if err != nil || result != types.True {
		return false
	}
	p.known.add(key)
	return true
}

// self is the value that rules are about.
type self struct{ value any }

func (s self) ResolveName(name string) (any, bool) { return s.value, name == schemacel.ScopedVarName }

func (s self) Parent() interpreter.Activation { return nil }
