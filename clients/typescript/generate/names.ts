import type { Operation } from "./document.ts";

/** `agent-sessions` → `agentSessions`: the property of the client that has the operations of a tag. */
export const groupName = (tag: string): string => tag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Where what is left of an operation's id says too little. */
const NAMES: Readonly<Record<string, string>> = { listSearchQuery: "query" };

/** The method of an operation: its id without the noun of its group, so `createIssue` is `issues.create`. */
export function methodName({ operationId, tags: [tag] }: Pick<Operation, "operationId" | "tags">): string {
  if (NAMES[operationId]) return NAMES[operationId];
  const group = groupName(tag);
  const plural = group[0]!.toUpperCase() + group.slice(1);
  const noun = [plural, singular(plural)].find((candidate) => operationId.includes(candidate));
  const name = noun ? operationId.replace(noun, "") : operationId;
  return name[0]!.toLowerCase() + name.slice(1);
}

function singular(plural: string): string {
  if (plural.endsWith("ies")) return `${plural.slice(0, -3)}y`;
  if (plural.endsWith("statuses") || plural.endsWith("Statuses")) return plural.slice(0, -2);
  return plural.replace(/s$/, "");
}

/** `ListIssuesQuery`: the type of what has no name in the API description. */
export const typeName = ({ operationId }: Pick<Operation, "operationId">, kind: "Query" | "Body" | "Row" | "Result") =>
  operationId[0]!.toUpperCase() + operationId.slice(1) + kind;
