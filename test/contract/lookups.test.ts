import { describe, expect, test } from "vitest";
import { parse, type Source, type Syntax, sources, visit } from "../support/syntax.ts";

/**
 * Every object inherits `constructor`, `toString` and more, so `table[word]` and `word in table` find words that are
 * not in the table. Our source looks words up with own(), or in a Map.
 */

// These look up no input: tools, descriptions of our own declarations, and names of our own statements.
const OUTSIDE = /^src\/(dev|cli|api\/openapi)\/|^src\/adapters\/prepared-query\.ts$|^src\/domain\/kernel\/own\.ts$/;

describe("a record that any text may index", () => {
  test("is read with own() only", () => {
    const all = sources().filter(({ file }) => !OUTSIDE.test(file));
    const named = aliases(all);
    expect(all.flatMap((source) => lookups(source, named))).toEqual([]);
  });

  test("is found, however it is written", () => {
    const found = (text: string) => lookups({ file: "", syntax: parse(text) }, new Set(["Table"]));
    expect(found("const t: Record<string, string> = {}; t[word]")).toHaveLength(1);
    expect(found("function f(t: { [name: string]: string }) { return t[word] }")).toHaveLength(1);
    expect(found("const t: Partial<Record<string, string>> | null = {}; t?.[word]")).toHaveLength(1);
    expect(found("const t: Table = {}; t[word].length")).toHaveLength(1);
    expect(found("(t as Record<string, string>)[word]")).toHaveLength(1);
    expect(found("type Call = { t: Record<string, string> }; call.t[word]")).toHaveLength(1);
    expect(found("const t: Record<string, string> = {}; if (word in t) word")).toHaveLength(1);
    expect(found("type Call = { t: Record<string, string> }; word in call.t")).toHaveLength(1);
    expect(found('const t: Record<string, string> = {}; "x" in t')).toEqual([]);
    expect(found('const t: Record<string, string> = {}; t[word] = "x"; t["word"]; own(t, word)')).toEqual([]);
    expect(found("const t: string[] = []; t[at]")).toEqual([]);
  });
});

/** Names of types that are records. */
function aliases(all: Source[]): Set<string> {
  const names = new Set<string>();
  for (const { syntax } of all) {
    visit(syntax, (node) => {
      if (node.type === "TsTypeAliasDeclaration" && isRecord(node.typeAnnotation, names)) {
        names.add(String((node.id as Syntax).value));
      }
    });
  }
  return names;
}

function lookups({ file, syntax }: Source, named: ReadonlySet<string>): string[] {
  const records = new Set<unknown>();
  visit(syntax, (node) => {
    const annotation = (node.typeAnnotation as Syntax | undefined)?.typeAnnotation;
    if (node.type === "Identifier" && isRecord(annotation, named)) records.add(node.value);
    if (node.type === "TsPropertySignature" && isRecord(annotation, named)) records.add((node.key as Syntax).value);
  });
  const written = new Set<unknown>();
  const found: string[] = [];
  visit(syntax, (node) => {
    if (node.type === "AssignmentExpression") written.add(node.left);
    if (node.type === "BinaryExpression" && node.operator === "in") {
      const name = recordIn(node.right as Syntax, records, named);
      // A literal is never input.
      if (name !== null && (node.left as Syntax).type !== "StringLiteral") found.push(`${file}: … in ${name}`);
    }
    if (node.type !== "MemberExpression" || written.has(node)) return;
    const { property, object } = node as { property: Syntax; object: Syntax };
    const index = property.type === "Computed" ? (property.expression as Syntax) : null;
    if (!index || /^(Numeric|String)Literal$/.test(String(index.type))) return;
    const name = recordIn(object, records, named);
    if (name !== null) found.push(`${file}: ${name}[${index.value ?? "…"}]`);
  });
  return found;
}

/** The name of an expression that is a record; null for others. */
function recordIn(object: Syntax, records: ReadonlySet<unknown>, named: ReadonlySet<string>): string | null {
  if (object.type === "TsAsExpression" && isRecord(object.typeAnnotation, named)) return "(… as Record)";
  if (/^(TsAs|TsNonNull|Parenthesis)Expression$/.test(String(object.type))) {
    return recordIn(object.expression as Syntax, records, named);
  }
  const name = object.type === "MemberExpression" ? (object.property as Syntax).value : object.value;
  return records.has(name) ? String(name) : null;
}

function isRecord(annotation: unknown, named: ReadonlySet<string>): boolean {
  const { type, ...rest } = (annotation ?? {}) as Syntax;
  const has = (types: unknown) => (types as unknown[]).some((one) => isRecord(one, named));
  if (type === "TsUnionType" || type === "TsIntersectionType") return has(rest.types);
  if (type === "TsTypeLiteral") return (rest.members as Syntax[]).some((member) => member.type === "TsIndexSignature");
  if (type === "TsParenthesizedType") return isRecord(rest.typeAnnotation, named);
  if (type !== "TsTypeReference") return false;
  const name = String((rest.typeName as Syntax).value);
  const [first] = ((rest.typeParams as Syntax | null)?.params ?? []) as Syntax[];
  if (name === "Record") return first?.type === "TsKeywordType" && first.kind === "string";
  return named.has(name) || (/^(Readonly|Partial)$/.test(name) && isRecord(first, named));
}
