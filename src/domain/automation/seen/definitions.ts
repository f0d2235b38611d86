import { readProjectsAccess } from "../../access/identity/project-access.sql.ts";
import { withoutPath } from "../../events/audit/shown-value.ts";
import { seesProject } from "../../kernel/belongs.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { own } from "../../kernel/own.ts";
import { visibleIssues } from "./issues.sql.ts";
import { type Reading, seesAll } from "./viewer.ts";

/** Actions and conditions of automations and workflows as their readers see them, and as they come back from readers. */

const HIDDEN = "…";

/** Parameters of actions that name projects, and those that name issues. */
const OF_PROJECTS: readonly string[] = ["project"];
const OF_ISSUES: readonly string[] = ["target_key", "parent", "epic"];

/**
 * Definitions without the projects and issues that the reader does not see.
 * @param definitions any JSON that contains actions or conditions
 * @param options.addresses whether the reader sees the whole addresses of receivers
 */
export async function seenBy<Definition>(
  ctx: Reading,
  definitions: readonly Definition[],
  { addresses }: { addresses: boolean },
): Promise<Definition[]> {
  if (addresses && seesAll(ctx)) return [...definitions];
  const named = { projects: new Set<string>(), issues: new Set<string>() };
  const collect: Show = (ref, kind) => {
    if (kind !== "addresses") named[kind].add(ref);
    return ref;
  };
  for (const definition of definitions) inPlace(definition, collect);
  const projects = await readProjectsAccess(ctx, [...named.projects, ...[...named.issues].map(projectIn)]);
  const issues = await visibleIssues(
    ctx,
    [...named.issues].flatMap((ref) => readId(ref) ?? []),
  );
  const sees = (ref: string) => projects.has(ref) && seesProject(ctx.principal, projects.get(ref)!);
  const show: Show = (ref, kind) => {
    if (kind === "addresses") return addresses ? ref : withoutPath(ref);
    const id = kind === "issues" ? readId(ref) : null;
    return (id === null ? sees(kind === "issues" ? projectIn(ref) : ref) : issues.has(id)) ? ref : HIDDEN;
  };
  return definitions.map((definition) => inPlace(definition, show) as Definition);
}

/** The key of the project in the key of an issue. */
const projectIn = (ref: string): string => ref.slice(0, Math.max(0, ref.lastIndexOf("-")));

/** What a text of a definition names. */
type Kind = "addresses" | "projects" | "issues";
/** Returns what to show in the place of a name. */
type Show = (ref: string, kind: Kind) => string;

/** Goes through a definition. `name` is that of the member whose value this is. */
function inPlace(value: unknown, show: Show, name = ""): unknown {
  if (typeof value === "string") return shown(value, show, name);
  if (Array.isArray(value)) return value.map((one) => inPlace(one, show, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, content]) => [key, inPlace(content, show, nameOf(value, key))]),
  );
}

function shown(text: string, show: Show, name: string): string {
  const kind = kindOf(name);
  return kind === null || (kind !== "addresses" && text.includes("{{")) ? text : show(text, kind);
}

function kindOf(name: string): Kind | null {
  if (name === "url") return "addresses";
  if (OF_PROJECTS.includes(name)) return "projects";
  return OF_ISSUES.includes(name) ? "issues" : null;
}

/** The name of a member. The rule `parent is …` and the action that sets the parent have it in the field beside the value. */
const nameOf = (object: object, key: string): string =>
  key === "value" && "field" in object ? String(object.field) : key;

/**
 * Restores the stored values that were hidden from the reader who sends a definition back.
 * @param stored the definition as it is stored
 * @param path JSON pointer of the definition
 * @throws Refusal invalid_reference if nothing is stored in the place of a hidden value
 */
export const restored = <Definition>(sent: Definition, stored: unknown, path: string): Definition =>
  restore(sent, stored, { path, name: "" }) as Definition;

type Place = { path: string; name: string };

function restore(sent: unknown, stored: unknown, { path, name }: Place): unknown {
  if (typeof sent === "string") return restoreText(sent, stored, { path, name });
  if (Array.isArray(sent)) {
    const before: unknown[] = Array.isArray(stored) ? stored : [];
    return sent.map((one, n) => restore(one, before[n], { path: `${path}/${n}`, name }));
  }
  if (typeof sent !== "object" || sent === null) return sent;
  const before = isSameKind(sent, stored) ? (stored as Record<string, unknown>) : {};
  return Object.fromEntries(
    Object.entries(sent).map(([key, content]) => [
      key,
      restore(content, own(before, key), { path: `${path}/${key}`, name: nameOf(sent, key) }),
    ]),
  );
}

/** An action of another type, or a rule about another field, gets no hidden value. */
function isSameKind(sent: object, stored: unknown): boolean {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return false;
  const [a, b] = [sent, stored] as Record<string, unknown>[];
  return own(a!, "type") === own(b!, "type") && own(a!, "field") === own(b!, "field");
}

function restoreText(sent: string, stored: unknown, { path, name }: Place): string {
  const kind = kindOf(name);
  const isHidden = kind === "addresses" ? /\/(?:…|%E2%80%A6)$/i.test(sent) : kind !== null && sent === HIDDEN;
  if (!isHidden) return sent;
  const isKept = typeof stored === "string" && (kind !== "addresses" || withoutPath(stored) === withoutPath(sent));
  if (isKept) return stored;
  const message =
    "This stands for a value that you were not shown, and no such value is stored in this place. Send the value itself.";
  return refuseReference(path, sent, { message });
}
