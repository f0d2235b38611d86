import { BOUNDS, type Field, type Surface } from "./surface.ts";

/** A difference between two surfaces. `breaks` says whether a client of the earlier one may fail. */
export type Change = { kind: "Added" | "Changed" | "Deprecated" | "Removed"; text: string; breaks: boolean };

const DAY = 24 * 3600 * 1000;
/** A deprecated operation stays for six months. */
const NOTICE_DAYS = 180;

/** What has changed, in the order of the surface. @param today `YYYY-MM-DD`, for operations whose time is over */
export function changesBetween(before: Surface, after: Surface, today: string): Change[] {
  return [
    ...operationChanges(before, after, today),
    ...fieldChanges(before, after, "inputs"),
    ...fieldChanges(before, after, "outputs"),
    ...named("event", before.events, after.events),
    ...named("error code", Object.keys(before.errors), Object.keys(after.errors)),
    ...Object.entries(after.errors).flatMap(([code, status]) =>
      (before.errors[code] ?? status) === status
        ? []
        : [changed(`error code \`${code}\`: status ${before.errors[code]} becomes ${status}`, true)],
    ),
  ];
}

const changed = (text: string, breaks: boolean): Change => ({ kind: "Changed", text, breaks });

function operationChanges(before: Surface, after: Surface, today: string): Change[] {
  const all = { ...after.operations, ...before.operations };
  return Object.keys(all).flatMap((id): Change[] => {
    const [was, is] = [before.operations[id], after.operations[id]];
    const text = `operation \`${id}\` (\`${(is ?? was)!.call}\`)`;
    if (!was) return [{ kind: "Added", text, breaks: false }];
    if (!is) return [{ kind: "Removed", text, breaks: !isOver(was, today) }];
    return [
      ...(was.call === is.call ? [] : [changed(`${text}: was \`${was.call}\``, true)]),
      ...(was.scope === is.scope ? [] : [changed(`${text}: scope \`${was.scope}\` becomes \`${is.scope}\``, true)]),
      ...(is.since && !was.since
        ? [{ kind: "Deprecated" as const, text: `${text}${is.sunset ? `; until ${is.sunset}` : ""}`, breaks: false }]
        : []),
    ];
  });
}

function isOver({ since, sunset }: Surface["operations"][string], today: string): boolean {
  if (!since || !sunset) return false;
  return Date.parse(sunset) - Date.parse(since) >= NOTICE_DAYS * DAY && sunset <= today;
}

function fieldChanges(before: Surface, after: Surface, side: "inputs" | "outputs"): Change[] {
  const [old, now] = [before[side], after[side]];
  const problem = side === "inputs" ? inputProblem : outputProblem;
  return Object.keys({ ...now, ...old }).flatMap((path): Change[] => {
    const [was, is] = [old[path], now[path]];
    if (path.endsWith(".")) return [];
    const text = `${side === "inputs" ? "input" : "reply"} \`${path}\``;
    // Fields of a new operation or object are not listed, and neither are those of one that is gone.
    if (!was)
      return has(before, old, path)
        ? [{ kind: "Added", text, breaks: side === "inputs" && is!.required === true }]
        : [];
    if (!is) return has(after, now, path) ? [{ kind: "Removed", text, breaks: true }] : [];
    if (is.deprecated && !was.deprecated) return [{ kind: "Deprecated", text, breaks: false }];
    const difference = differenceOf(was, is);
    return difference ? [changed(`${text}: ${difference}`, problem(was, is))] : [];
  });
}

/** Whether a surface has the operation or the object that a field belongs to. */
function has({ operations }: Surface, fields: Record<string, Field>, path: string): boolean {
  const owner = path.slice(0, path.lastIndexOf("."));
  const [operation] = owner.split(" ");
  return owner.includes(" ")
    ? operation! in operations
    : Object.keys(fields).some((one) => one.startsWith(`${owner}.`));
}

function differenceOf(was: Field, is: Field): string {
  const values = (name: string, a: string[] = [], b: string[] = []) => [
    ...b.filter((one) => !a.includes(one)).map((one) => `${name} \`${one}\` added`),
    ...a.filter((one) => !b.includes(one)).map((one) => `${name} \`${one}\` removed`),
  ];
  return [
    ...values("type", was.type, is.type),
    ...values("value", was.enum, is.enum),
    ...(was.required === is.required ? [] : [is.required ? "now required" : "now optional"]),
    ...BOUNDS.filter((bound) => was[bound] !== is[bound]).map(
      (bound) => `${bound} ${was[bound] ?? "none"} becomes ${is[bound] ?? "none"}`,
    ),
  ].join(", ");
}

const lacks = (a: string[] = [], b: string[] = []) => a.some((one) => !b.includes(one));

/** Whether a body that was valid may not be valid any more. */
function inputProblem(was: Field, is: Field): boolean {
  return (
    lacks(was.type, is.type) ||
    (is.enum !== undefined && (was.enum === undefined || lacks(was.enum, is.enum))) ||
    (is.required === true && !was.required) ||
    BOUNDS.some((bound) => {
      const [old, now] = [was[bound], is[bound]];
      if (now === undefined) return false;
      return bound.startsWith("min") ? now > (old ?? 0) : now < (old ?? Number.POSITIVE_INFINITY);
    })
  );
}

/** Whether a client may get what it did not expect. New values of an enum may come at any time. */
const outputProblem = (was: Field, is: Field): boolean =>
  lacks(is.type, was.type) || (was.required === true && !is.required);

function named(what: string, before: readonly string[], after: readonly string[]): Change[] {
  const line = (name: string) => `${what} \`${name}\``;
  return [
    ...after
      .filter((name) => !before.includes(name))
      .map((name) => ({ kind: "Added" as const, text: line(name), breaks: false })),
    ...before
      .filter((name) => !after.includes(name))
      .map((name) => ({ kind: "Removed" as const, text: line(name), breaks: true })),
  ];
}
