import { singular } from "./operation-id.ts";

/** Names of the TypeScript client's groups and methods, which the client's generator and the reference share. */

type Named = { operationId: string; tags: [string] };

/** `agent-sessions` → `agentSessions`: the property of the client that has the operations of a tag. */
export const groupName = (tag: string): string => tag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Names for operations whose id has nothing left without the noun. */
const NAMES: Readonly<Record<string, string>> = { listSearchQuery: "query" };

/** The method of an operation: its id without the noun of its group, so `createIssue` is `issues.create`. */
export function methodName({ operationId, tags: [tag] }: Named): string {
  if (NAMES[operationId]) return NAMES[operationId];
  const group = groupName(tag);
  const plural = group[0]!.toUpperCase() + group.slice(1);
  const noun = [plural, singular(plural)].find((candidate) => operationId.includes(candidate));
  const name = noun ? operationId.replace(noun, "") : operationId;
  return name[0]!.toLowerCase() + name.slice(1);
}
