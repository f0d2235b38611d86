import type { z } from "zod";
import type { Names } from "../../kernel/markdown-names.ts";
import { plainText } from "../../kernel/plain-text.ts";
import { shorten, singleLine } from "../../kernel/text.ts";
import { withoutHtml } from "../../kernel/without-html.ts";
import type { NotificationKind } from "./kinds.ts";

/** An event as the rules read it. Long texts in `data` may be cut, and very large data is only the object's id. */
export type Happened<Data> = {
  id: string;
  actor_id: string | null;
  actor_name: string | null;
  issue_id: string | null;
  /** Key and title of the issue, as they are now. */
  issue_key: string | null;
  issue_title: string | null;
  data: Partial<Data>;
  previous: Partial<Data>;
  changed: readonly string[];
  /** What was recorded for notifications alone. */
  context: {
    mentioned?: string[];
    /** Whom a text no longer mentions. */
    unmentioned?: string[];
    creator_id?: string;
    form_title?: string;
    /** Whether a stage of a workflow assigned the issue. */
    of_stage?: boolean;
    /** The stages of a workflow that became active, and those who are asked to complete them. */
    stages?: { title: string; asks: "work" | "approval"; people: string[] }[];
  };
};

/** What a notification is about. Its readers are those who see all of this. */
export type Subject = {
  issue_id?: string | null;
  comment_id?: string | undefined;
  doc_id?: string | undefined;
  goal_id?: string | undefined;
  channel_id?: string | undefined;
  message_id?: string | undefined;
  session_id?: string | undefined;
  admins_only?: boolean;
};

/**
 * Who is notified, besides `people`:
 * - `watchers`: the watchers of the issue or goal
 * - `involved`: the watchers, assignees and reporter of the issue
 * - `responsible`: the assignees of the issue, or its reporter if it has none; nobody once the issue is closed
 * - `correspondents`: the people of the channel who have not muted it, if it is a direct message
 * - `author`: the author of the doc, unless they stopped watching it
 * - `doc_watchers`: the watchers of the doc
 * - `admins`: the owners and admins of the workspace
 * - `session_owners`: the owner of the session's agent, and whoever started the session
 * - `session_followers`: the same, whoever assigned the issue to the agent, and the watchers of the issue
 */
export type Circle =
  | ("watchers" | "involved" | "responsible" | "correspondents" | "author" | "doc_watchers" | "admins")
  | ("session_owners" | "session_followers")
  | null;

/** A notification before its readers are known. The one who caused the event gets none, except with `byNobody`. */
export type Notice = {
  kind: NotificationKind;
  people: readonly string[];
  circle: Circle;
  title: string;
  body: string;
  about: Subject;
  /** The event follows from what somebody did, but is not their deed, such as credits that run low. Default: false. */
  byNobody?: boolean;
};

/** What an event notifies of. Somebody to whom several notices apply gets the first of them. */
export type Rule<Name extends string> = {
  readonly on: Name;
  /** SQL: whether event `e` can notify anybody. It runs for each event, so it reads an index at most. */
  readonly only: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: `rule` checked that the notices are of this event's data
  readonly notices: (event: Happened<any>) => readonly Notice[];
};

export const rule = <const Name extends string, View extends z.ZodType>(
  event: { readonly name: Name; readonly view: View },
  only: string | null,
  notices: (event: Happened<z.output<View>>) => readonly Notice[],
): Rule<Name> => ({ on: event.name, only, notices });

/** SQL: whether the workspace of event `e` has a member besides the one who caused it. */
export const SOMEBODY_ELSE = `
  exists (select from member m where m.workspace_id = e.workspace_id and m.user_id is distinct from e.actor_id)`;

const MAX_TITLE = 250;
const MAX_BODY = 500;
/** Characters of a text that are read for its excerpt. */
export const READ = 2_000;

/** @param rest.markdown a Markdown text, of which the notice shows the beginning instead of `body` */
export const notice = (
  kind: NotificationKind,
  about: Subject,
  rest: Partial<Notice> & { title: string; markdown?: string | undefined },
): Notice => ({
  kind,
  about,
  people: rest.people ?? [],
  circle: rest.circle ?? null,
  title: shorten(singleLine(rest.title), MAX_TITLE),
  body: rest.markdown === undefined ? shorten(singleLine(rest.body ?? ""), MAX_BODY) : excerptOf(rest.markdown),
  byNobody: rest.byNobody ?? false,
});

/** Who caused an event, for titles. */
export const nameOf = ({ actor_name }: Pick<Happened<unknown>, "actor_name">): string => actor_name ?? "Somebody";

/** The beginning of a Markdown text as plain text in one line. It may begin with a long comment, as issue templates do. */
export const excerptOf = (markdown: string, names?: Names): string =>
  shorten(plainText(withoutHtml(markdown.slice(0, READ_WITH_COMMENTS)).slice(0, READ), names), MAX_BODY);

/** Characters that are read of a text with comments. */
const READ_WITH_COMMENTS = 16_384;
