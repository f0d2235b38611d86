import { placeOf } from "../../../domain/kernel/place-of.ts";
import { PROJECT, pathOf } from "../project/head.ts";
import type { WorkspaceCall } from "../site/site.ts";

/** `:issue` is a key or an id. It matches everything below a project, so its pages come after all others of it. */
export const ISSUE = `${PROJECT}/:issue`;

export const issuePathOf = (call: WorkspaceCall): string =>
  `${pathOf(call)}/${encodeURIComponent(call.params.issue ?? "")}`;

/** Address of a comment. */
export const commentIn = (issue: string, id: string): string => `${issue}${placeOf("comment", id)}`;
