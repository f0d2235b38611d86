import type { Reader } from "../../access/identity/readers.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import { type Mentioned, mentionsIn } from "../../kernel/mentions.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { text } from "../../kernel/wire.ts";
import type { Mention } from "./entities.ts";
import { renderMarkdown } from "./markdown.ts";

/** What comments on issues and comments on docs have in common. */

export const commentBody = text(1, 64_000);

/** A comment's text as it is stored. */
export type WrittenBody = { body_md: string; body_html: string; mentions: Mention[] };

export type BodyReaders = {
  /** The people among these ids who can be mentioned: those who see the comment. */
  findPeople(ids: string[]): Promise<Reader[]>;
  /** The ids of agents by handle. */
  findAgents(handles: string[]): Promise<ReadonlyMap<string, string>>;
  issueUrl(key: string): string;
};

/** Renders texts for storage. Other calls run between two texts. */
export async function writeBodies(
  texts: readonly string[],
  { findPeople, findAgents, issueUrl }: BodyReaders,
): Promise<WrittenBody[]> {
  const found: Mentioned[] = [];
  for (const [index, body] of texts.entries()) {
    if (index > 0) await letOthersRun();
    found.push(mentionsIn(body));
  }
  const agents = await findAgents([...new Set(found.flatMap(({ handles }) => handles))]);
  const named = found.map(({ ids, handles }) => [
    ...new Set([...ids, ...handles.flatMap((handle) => agents.get(handle) ?? [])]),
  ]);
  const ids = [...new Set(named.flat())];
  const people = ids.length === 0 ? [] : await findPeople(ids);
  const known = new Map(people.map((person) => [person.id, person]));
  const context = { issueUrl, agents, nameOf: (id: string) => known.get(readId(id) ?? "")?.name ?? null };

  const bodies: WrittenBody[] = [];
  for (const [index, body_md] of texts.entries()) {
    if (texts.length > 1) await letOthersRun();
    const mentions = named[index]!.flatMap((id): Mention[] => {
      const { kind } = known.get(id) ?? {};
      return kind ? [{ id, kind }] : [];
    });
    bodies.push({ body_md, body_html: await renderMarkdown(body_md, context), mentions });
  }
  return bodies;
}

/**
 * URL of an issue's page, by the issue's key. The slugs of other projects are not known, but URLs also accept a
 * project's key.
 */
export const issueUrlIn =
  ({ settings, workspace }: InWorkspace, project?: { key: string; slug: string }) =>
  (key: string): string => {
    const projectKey = key.slice(0, key.indexOf("-"));
    const slug = projectKey === project?.key ? project.slug : projectKey.toLowerCase();
    return `${settings.baseUrl}/w/${workspace.slug}/p/${slug}/${key}`;
  };

/** Only its author and admins may change or delete a comment. @throws Refusal not_owner_of_resource */
export function checkAuthor({ principal }: InWorkspace, { author_id }: { author_id: string }): void {
  if (author_id !== principal.user_id && !isAdmin(principal.role)) refuse("not_owner_of_resource");
}

/** What a deleted comment keeps, if it has replies. */
export const emptied = (now: string) => ({
  deleted_at: now,
  updated_at: now,
  body_md: "",
  body_html: "",
  mentions: [] as Mention[],
});
