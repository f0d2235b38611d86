import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { operations } from "../../src/api/operations/index.ts";
import { ERRORS } from "../../src/domain/error-catalogue.ts";
import { type Source, type Syntax, sources } from "../support/syntax.ts";

/**
 * The error codes that the code of each operation can refuse with, found by following what its declaration names: every
 * function and constant, through all imports. So the list may have a code that a call never gets.
 */

type Definition = { codes: Set<string>; names: Set<string> };
type Module = { definitions: Map<string, Definition>; imports: Map<string, { file: string; name: string }> };

const CODES = new Set(ERRORS.map(({ code }) => code));
/** Functions whose argument is a code. */
const REFUSING = new Set(["refuse", "Refusal", "demand"]);

/** The codes by id of the operation, sorted. */
export function codesByOperation(): Record<string, string[]> {
  const all = sources();
  const modules = new Map(all.map((source) => [source.file, moduleOf(source)]));
  const declared = new Map<string, Set<string>>();
  const unnamed = new Set<string>();
  for (const { file, syntax } of all.filter(({ file }) => file.startsWith("src/api/operations/"))) {
    for (const [id, parts] of declarationsIn(syntax)) {
      const codes = reachedFrom(parts.map(definitionOf), file, modules);
      if (id === null) for (const code of codes) unnamed.add(code);
      else declared.set(id, codes);
    }
  }
  return Object.fromEntries(operations.map(({ id }) => [id, [...(declared.get(id) ?? unnamed)].sort()]));
}

/** Codes in definitions and in all that they name. */
function reachedFrom(start: Definition[], file: string, modules: Map<string, Module>): Set<string> {
  const found = new Set(start.flatMap(({ codes }) => [...codes]));
  const seen = new Set<string>();
  const todo = start.flatMap(({ names }) => [...names].map((name) => ({ file, name })));
  for (let next = todo.pop(); next; next = todo.pop()) {
    const module = modules.get(next.file);
    const [local, member] = next.name.split(".") as [string, string?];
    const imported = module?.imports.get(local);
    if (imported) {
      if (imported.name !== "*") todo.push(imported);
      else if (member) todo.push({ file: imported.file, name: member });
      continue;
    }
    const definition = module?.definitions.get(local);
    const place = `${next.file} ${local}`;
    if (!definition || seen.has(place)) continue;
    seen.add(place);
    for (const code of definition.codes) found.add(code);
    const { file: within } = next;
    todo.push(...[...definition.names].map((name) => ({ file: within, name })));
  }
  return found;
}

function moduleOf({ file, syntax }: Source): Module {
  const definitions = new Map<string, Definition>();
  const imports: Module["imports"] = new Map();
  // biome-ignore lint/suspicious/noExplicitAny: the parser's own shapes
  for (const item of syntax.body as any[]) {
    if (item.type === "ImportDeclaration" && item.source.value.startsWith(".") && !item.typeOnly) {
      const from = join(dirname(file), item.source.value);
      for (const { type, local, imported } of item.specifiers) {
        const name = type === "ImportNamespaceSpecifier" ? "*" : (imported?.value ?? local.value);
        imports.set(local.value, { file: from, name });
      }
      continue;
    }
    const declaration = item.declaration ?? item;
    if (declaration.type === "VariableDeclaration") {
      for (const { id, init } of declaration.declarations) {
        for (const name of namesBound(id)) definitions.set(name, definitionOf(init));
      }
    } else if (declaration.identifier) {
      definitions.set(declaration.identifier.value, definitionOf(declaration.body ?? declaration));
    }
  }
  return { definitions, imports };
}

// biome-ignore lint/suspicious/noExplicitAny: as above
const namesBound = (pattern: any): string[] =>
  pattern.type === "Identifier"
    ? [pattern.value]
    : // biome-ignore lint/suspicious/noExplicitAny: as above
      (pattern.properties ?? []).map((one: any) => (one.key ?? one.argument).value);

/** The names in an expression or a body, and the codes that it refuses with. Types are left out. */
function definitionOf(root: unknown): Definition {
  const codes = new Set<string>();
  const names = new Set<string>();
  function see(node: unknown): void {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) {
      node.forEach(see);
      return;
    }
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const { type, ...rest } = node as any;
    if (/^Ts(Type|Interface|Function|Qualified)/.test(type ?? "") && type !== "TsTypeAssertion") return;
    // What an action of an automation is refused stands in its run, and is no reply.
    if (/^(KeyValue|Method)Property$/.test(type) && rest.key.value === "run") return;
    if (type === "Identifier") names.add(rest.value);
    if (type === "MemberExpression" && rest.object.type === "Identifier" && rest.property.type === "Identifier") {
      names.add(`${rest.object.value}.${rest.property.value}`);
      if (rest.object.value.endsWith("Errors") && CODES.has(rest.property.value)) codes.add(rest.property.value);
      // The table of errors itself names all of them.
      if (rest.object.value.endsWith("Errors")) return;
    }
    if (/^(Call|New)Expression$/.test(type) && REFUSING.has(rest.callee.value)) {
      textsIn(rest.arguments ?? []).forEach((text) => {
        if (CODES.has(text)) codes.add(text);
      });
    }
    Object.values(rest).forEach(see);
  }
  see(root);
  return { codes, names };
}

/** Texts among the arguments, also those between which a condition chooses. */
// biome-ignore lint/suspicious/noExplicitAny: as above
const textsIn = (args: any[]): string[] =>
  args.flatMap(({ expression: one }) =>
    [one, one.consequent, one.alternate].flatMap((part) => (part?.type === "StringLiteral" ? [part.value] : [])),
  );

/** Functions whose argument declares one operation, or another path of one. */
const DECLARING = new Set(["operation", "withoutProject"]);

const VERBS: Record<string, string> = {
  list: "list",
  all: "list",
  get: "get",
  create: "create",
  patch: "patch",
  remove: "delete",
};

/** The declared operations, with the parts of each. The id is null if it is not a literal. */
function declarationsIn(syntax: Syntax): [id: string | null, parts: unknown[]][] {
  const found: [string | null, unknown[]][] = [];
  function see(node: unknown): void {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) {
      node.forEach(see);
      return;
    }
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const { type, callee, arguments: args, ...rest } = node as any;
    if (type === "CallExpression" && DECLARING.has(callee.value)) {
      const { id, ...parts } = membersOf(args[0].expression);
      found.push([textOf(id), Object.values(parts)]);
    } else if (type === "CallExpression" && callee.value === "resource") {
      const { id, entity, within, current, ...verbs } = membersOf(args[1].expression);
      for (const [verb, name] of Object.entries(VERBS)) {
        if (!(verb in verbs)) continue;
        const shared = name === "patch" || name === "delete" ? [entity, within, current] : [within];
        found.push([`${textOf(id)}.${name}`, [verbs[verb], ...shared]]);
      }
    }
    Object.values(rest).forEach(see);
    see(args);
  }
  see(syntax.body);
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function membersOf({ properties }: any): Record<string, any> {
  return Object.fromEntries(
    // biome-ignore lint/suspicious/noExplicitAny: as above
    properties.map((one: any) =>
      one.type === "Identifier" ? [one.value, one] : [one.key?.value ?? "…", one.value ?? one.body ?? one],
    ),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: as above
const textOf = (value: any): string | null => (value?.type === "StringLiteral" ? value.value : null);

/** The file with the codes, which the API description reads. */
export const errorCodesPath = fileURLToPath(new URL("../../src/api/openapi/error-codes.ts", import.meta.url));

export function errorCodesSource(): string {
  const withCodes = Object.entries(codesByOperation()).filter(([, codes]) => codes.length > 0);
  const lines = withCodes.map(([id, codes]) => {
    const name = /^\w+$/.test(id) ? id : `"${id}"`;
    const line = `  ${name}: "${codes.join(" ")}",`;
    return line.length > 120 ? `  ${name}:\n    "${codes.join(" ")}",` : line;
  });
  return `/**
 * The error codes with which the code of each operation refuses calls, besides those that the engine adds. \`npm run pin\`
 * writes this file.
 */
export const ERROR_CODES: Readonly<Record<string, string>> = {
${lines.join("\n")}
};
`;
}
