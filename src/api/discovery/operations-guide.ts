import type { Operation } from "../engine/operation.ts";
import { tagOf } from "../openapi/describe.ts";
import { chapters, TAGS } from "../openapi/tags.ts";

/** `/operations.md`: what each group of operations is used for, with all its calls. */
export function operationsGuide(baseUrl: string, operations: readonly Operation[]): string {
  const groups = Map.groupBy(operations, tagOf);
  const shown = chapters([...groups.keys()]).map(
    ({ name, tags }) => `## ${name}\n\n${tags.map((tag) => groupText(tag, groups.get(tag) ?? [])).join("\n\n")}`,
  );
  return `# All operations

What you can do with Muster, by use. W stands for ${baseUrl}/v1/workspaces/<workspace>, P for a project: W/projects/<key>.
${baseUrl}/api/v1/openapi.json has the parameters, bodies, replies and errors of each call, and ${baseUrl}/llms.txt how to begin.

${shown.join("\n\n")}
`;
}

const groupText = (tag: string, operations: readonly Operation[]): string =>
  `### ${tag}\n\n${TAGS[tag]}\n\n${operations.map(lineOf).join("\n")}`;

const lineOf = ({ method, path, summary }: Operation): string => `- \`${method} ${shortened(path)}\`: ${summary}`;

const shortened = (path: string): string =>
  path
    .replace("/v1/workspaces/{slug}/projects/{key}/", "P/")
    .replace("/v1/workspaces/{slug}/", "W/")
    .replaceAll(/\{(\w+)\}/g, "<$1>");

/** A line for each chapter of the guide, for the introduction. */
export const chaptersInWords = (operations: readonly Operation[]): string =>
  chapters([...new Set(operations.map(tagOf))])
    .map(({ name, tags }) => `- ${name}: ${tags.join(", ")}`)
    .join("\n");
