package main

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
	"google.golang.org/protobuf/proto"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/routedelta/routedelta/render/schema/internal/bundle"
)

// rules stores the rules of a schema node and of all below it.
func (b *builder) rules(s *structuralschema.Structural, root bool) error {
	if err := b.ownRules(s, root); err != nil {
		return err
	}
	for name, property := range s.Properties {
		if err := b.rules(&property, false); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if s.Items != nil {
		if err := b.rules(s.Items, false); err != nil {
			return fmt.Errorf("items: %w", err)
		}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		if err := b.rules(s.AdditionalProperties.Structural, false); err != nil {
			return fmt.Errorf("additionalProperties: %w", err)
		}
	}
	return nil
}

// ownRules stores the rules of one node as one expression, which is true if all of them are.
func (b *builder) ownRules(s *structuralschema.Structural, root bool) error {
	if len(s.XValidations) == 0 {
		return nil
	}
	texts := make([]string, len(s.XValidations))
	for i, rule := range s.XValidations {
		texts[i] = rule.Rule
	}
	expression, err := check(s, root, texts)
	if err != nil {
		return err
	}
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(expression)
	if err != nil {
		return err
	}
	name := bundle.RulesName(texts)
	if known := b.files[name]; known != nil && string(known) != string(data) {
		return fmt.Errorf("rules %q mean one thing here and another thing elsewhere", texts)
	}
	b.files[name] = data
	return nil
}

// check parses and checks the conjunction of the rules of a node that bear on a new object: in CEL, (a && b) is true if
// neither is false and neither fails.
func check(s *structuralschema.Structural, root bool, texts []string) (*exprpb.CheckedExpr, error) {
	declared := model.SchemaDeclType(s, root)
	if declared == nil {
		return nil, fmt.Errorf("a node with rules has no type")
	}
	env, err := environmentOf(declared.MaybeAssignTypeName("selfType"))
	if err != nil {
		return nil, err
	}
	var lasting []string
	for _, text := range texts {
		checked, err := checkOne(env, text)
		if err != nil {
			return nil, err
		}
		if !refersTo(checked, schemacel.OldScopedVarName) {
			lasting = append(lasting, "("+text+")")
		}
	}
	if len(lasting) == 0 {
		lasting = []string{"true"}
	}
	checked, err := checkOne(env, strings.Join(lasting, " && "))
	if err != nil {
		return nil, err
	}
	if err := onlyScalarsCompared(checked); err != nil {
		return nil, err
	}
	unescape(checked.Expr)
	return lean(checked), nil
}

// environmentOf is where the API server compiles the rules of a node (apiextensions-apiserver, schema/cel, prepareEnvSet).
func environmentOf(declared *apiservercel.DeclType) (*cel.Env, error) {
	set, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			cel.Variable(schemacel.ScopedVarName, declared.CelType()),
			cel.Variable(schemacel.OldScopedVarName, declared.CelType()),
		},
		DeclTypes: []*apiservercel.DeclType{declared},
	})
	if err != nil {
		return nil, err
	}
	return set.StoredExpressionsEnv(), nil
}

func checkOne(env *cel.Env, text string) (*exprpb.CheckedExpr, error) {
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		return nil, fmt.Errorf("compiling %q: %w", text, issues.Err())
	}
	return cel.AstToCheckedExpr(ast)
}

func refersTo(checked *exprpb.CheckedExpr, name string) bool {
	for _, reference := range checked.ReferenceMap {
		if reference.Name == name {
			return true
		}
	}
	return false
}

// onlyScalarsCompared refuses == and != of lists and objects: whether lists are equal depends on their list type, which only
// the API server's values know.
func onlyScalarsCompared(checked *exprpb.CheckedExpr) (err error) {
	walk(checked.Expr, func(e *exprpb.Expr) {
		call := e.GetCallExpr()
		if call == nil || call.Function != "_==_" && call.Function != "_!=_" {
			return
		}
		for _, argument := range call.Args {
			of := checked.TypeMap[argument.Id]
			if of.GetPrimitive() == exprpb.Type_PRIMITIVE_TYPE_UNSPECIFIED && of.GetWellKnown() != exprpb.Type_DURATION {
				err = fmt.Errorf("%s compares values of type %v", call.Function, of)
			}
		}
	})
	return err
}

// unescape gives fields the names that they have in an object: in a rule, "namespace" is written "__namespace__".
func unescape(e *exprpb.Expr) {
	walk(e, func(e *exprpb.Expr) {
		if selected := e.GetSelectExpr(); selected != nil {
			if name, escaped := apiservercel.Unescape(selected.Field); escaped {
				selected.Field = name
			}
		}
	})
}

// lean leaves out what only the type checker and messages need; the type of the whole stays, as what makes it a checked one.
func lean(checked *exprpb.CheckedExpr) *exprpb.CheckedExpr {
	return &exprpb.CheckedExpr{
		Expr:         checked.Expr,
		ReferenceMap: checked.ReferenceMap,
		TypeMap:      map[int64]*exprpb.Type{checked.Expr.Id: checked.TypeMap[checked.Expr.Id]},
	}
}

// walk visits an expression and all in it.
func walk(e *exprpb.Expr, visit func(*exprpb.Expr)) {
	if e == nil {
		return
	}
	visit(e)
	switch of := e.ExprKind.(type) {
	case *exprpb.Expr_SelectExpr:
		walk(of.SelectExpr.Operand, visit)
	case *exprpb.Expr_CallExpr:
		walk(of.CallExpr.Target, visit)
		for _, argument := range of.CallExpr.Args {
			walk(argument, visit)
		}
	case *exprpb.Expr_ListExpr:
		for _, element := range of.ListExpr.Elements {
			walk(element, visit)
		}
	case *exprpb.Expr_StructExpr:
		for _, entry := range of.StructExpr.Entries {
			walk(entry.GetMapKey(), visit)
			walk(entry.Value, visit)
		}
	case *exprpb.Expr_ComprehensionExpr:
		for _, part := range []*exprpb.Expr{of.ComprehensionExpr.IterRange, of.ComprehensionExpr.AccuInit,
			of.ComprehensionExpr.LoopCondition, of.ComprehensionExpr.LoopStep, of.ComprehensionExpr.Result} {
			walk(part, visit)
		}
	}
}
