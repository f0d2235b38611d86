import type { AgentView } from "../../../domain/access/agents/view.ts";
import type { AgentSessionView } from "../../../domain/automation/agent-sessions/view.ts";
import type { WorkflowRunDetailView } from "../../../domain/automation/workflow-runs/view.ts";
import type { WorkflowView } from "../../../domain/automation/workflows/view.ts";
import { Refusal } from "../../../domain/kernel/errors.ts";
import { readId } from "../../../domain/kernel/ids.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { MemberView } from "../../../domain/tenancy/workspaces/member-view.ts";
import type { AttachmentView } from "../../../domain/work/attachments/view.ts";
import type { CommentView } from "../../../domain/work/comments/view.ts";
import type { CommitRefView } from "../../../domain/work/commits/view.ts";
import type { CustomFieldValueView } from "../../../domain/work/fields/view.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import type { IssueLinkView } from "../../../domain/work/links/view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import type { TimeTrackingView } from "../../../domain/work/time/view.ts";
import type { WatcherView } from "../../../domain/work/watchers/view.ts";
import { type Named, whoSee } from "../kit/people.ts";
import { named } from "../project/head.ts";
import type { List, PerformInput } from "../site/perform.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import type { Line } from "./sentences.ts";

/** What the page of an issue shows, read through the operations of the API. */

export const COMMENTS = 50;
const LINES = 20;
const CHILDREN = 100;

export type Shown = {
  project: ProjectView;
  issue: IssueView;
  comments: Comments;
  history: List<Line>;
  watchers: WatcherView[];
  time: TimeTrackingView;
  values: CustomFieldValueView[];
  sessions: AgentSessionView[];
  commits: CommitRefView[];
  links: IssueLinkView[];
  attachments: AttachmentView[];
  children: List<IssueView>;
  run: WorkflowRunDetailView | null;
  /** Those that can be started. Only read if the person wants to start one. */
  workflows: WorkflowView[];
  /** Names of what the issue belongs to. */
  plans: { sprint: string | null; milestone: string | null; release: string | null };
  people: People;
};
/** `from`: the comment that they begin with, if that is not the first one. */
export type Comments = List<CommentView> & { from: string };
export type People = ReadonlyMap<string, Named>;

/** The issue as operations name it in their paths. */
export const at = (call: WorkspaceCall) => ({ ...named(call), issueKey: call.params.issue ?? "" });

const NO_LIST = { data: [], next: null };

/** Two rounds: what every issue has, and what this one refers to. */
export async function readShown(site: Site, call: WorkspaceCall): Promise<Shown> {
  const params = at(call);
  const get = <T>(id: string, input: PerformInput = {}) =>
    site.perform<T>(call, id, { ...input, params: { ...params, ...input.params } });
  const list = <T>(id: string, query: Record<string, string>) => site.list<T>(call, id, { params, query });

  const issueRead = get<IssueView>("issues.get");
  const [project, issue, comments, history, watchers, time, values, sessions, commits] = await Promise.all([
    get<ProjectView>("projects.get"),
    issueRead,
    readComments(call, (query) => list<CommentView>("comments.list", { limit: String(COMMENTS), ...query })),
    list<Line>("issues.activity", { limit: String(LINES), cursor: call.query("history") }),
    get<WatcherView[]>("watchers.list"),
    get<TimeTrackingView>("time.get"),
    unlessRefused(get<CustomFieldValueView[]>("custom-fields.list"), []),
    // Guests see no agents.
    unlessRefused(
      site
        .list<AgentSessionView>(call, "agent-sessions.list", {
          query: { issue_key: params.issueKey, limit: "20" },
        })
        .then(
          ({ data }) => data,
          async (error) => {
            // Its filter refuses an unknown issue with 400; the page is 404, as the read of the issue says.
            await issueRead;
            throw error;
          },
        ),
      [],
    ),
    list<CommitRefView>("issues.commits", { limit: "50" }).then(({ data }) => data),
  ]);

  const { counts, sprint_id, milestone_id, release_id, active_workflow_run_id: runId } = issue;
  const nameOf = async (id: string | null, operation: string) =>
    id === null ? null : (await get<{ name: string }>(operation, { params: { id }, query: { fields: "name" } })).name;
  const startsWorkflow = runId === null && (call.query("edit") === "workflow" || call.form.text("workflow_id") !== "");
  const [links, attachments, children, run, sprint, milestone, release, workflows] = await Promise.all([
    counts.links > 0 ? get<IssueLinkView[]>("links.list") : [],
    counts.attachments > 0 ? list<AttachmentView>("attachments.list", { limit: "50" }).then(({ data }) => data) : [],
    issue.children.total > 0
      ? list<IssueView>("issues.list", {
          [issue.type === "epic" ? "epic" : "parent"]: issue.key,
          limit: String(CHILDREN),
        })
      : NO_LIST,
    runId === null
      ? null
      : unlessRefused(get<WorkflowRunDetailView>("workflow-runs.get", { params: { id: runId } }), null),
    nameOf(sprint_id, "sprints.get"),
    nameOf(milestone_id, "milestones.get"),
    nameOf(release_id, "releases.get"),
    startsWorkflow ? startable(site, call, issue) : [],
  ]);
  const known = knownPeople(issue, { comments: comments.data, history: history.data, watchers });
  const people = isAllKnown(known, issue, time) ? known : new Map([...(await allPeople(site, call)), ...known]);
  const plans = { sprint, milestone, release };
  return {
    ...{ project, issue, comments, history, watchers, time, values, sessions, commits },
    ...{ links, attachments, children, run, workflows, plans, people },
  };
}

/** The id of the comment that is linked, or whose form is open. Empty if there is none. */
const asked = ({ query, form }: WorkspaceCall): string =>
  readId(query("at") || query("comment") || query("reply") || form.text("open-comment") || form.text("open-reply")) ??
  "";

/** The first page of comments, or the one that begins with the comment that is asked for, if that is not on it. */
async function readComments(
  call: WorkspaceCall,
  list: (query: Record<string, string>) => Promise<List<CommentView>>,
): Promise<Comments> {
  const [from, cursor] = [asked(call), call.query("comments")];
  if (from !== "" && cursor !== "") return { ...(await list({ from, cursor })), from };
  const first = await list({ cursor });
  const isHere = from === "" || first.next === null || first.data.some(({ id }) => id === from);
  const after = isHere ? null : await list({ from });
  return after?.data.length ? { ...after, from } : { ...first, from: "" };
}

async function startable(site: Site, call: WorkspaceCall, { project_id: here }: IssueView): Promise<WorkflowView[]> {
  const { data } = await unlessRefused(
    site.list<WorkflowView>(call, "workflows.list", { query: { limit: "100" } }),
    NO_LIST,
  );
  return data.filter(({ status, project_id }) => status === "enabled" && (project_id === null || project_id === here));
}

/** What the person may not read is left out. */
export async function unlessRefused<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Refusal && (error.status === 403 || error.status === 404)) return otherwise;
    throw error;
  }
}

/** People whose names the page has read anyway. Reporter and assignees usually watch. */
function knownPeople(
  { assignee_id, assignee_name, assignee_kind }: IssueView,
  { comments, history, watchers }: { comments: CommentView[]; history: Line[]; watchers: WatcherView[] },
): Map<string, Named> {
  const all: [string | null, string | null, string | null][] = [
    ...history.map(
      ({ actor_id, actor_name, actor_kind }) => [actor_id, actor_name, actor_kind] as [string, string, string],
    ),
    ...comments.map(
      ({ author_id, author_name, author_kind }) => [author_id, author_name, author_kind] as [string, string, string],
    ),
    ...watchers.map(({ user_id, name, kind }) => [user_id, name, kind] as [string, string, string]),
    [assignee_id, assignee_name, assignee_kind],
  ];
  return new Map(
    all.flatMap(([id, name, kind]) =>
      id === null ? [] : [[id, { id, name, kind: kind === "agent" ? "agent" : "user" }] as const],
    ),
  );
}

const isAllKnown = (
  known: People,
  { assignees, reporter_id, created_by }: IssueView,
  { entries }: TimeTrackingView,
): boolean =>
  [...assignees, reporter_id, created_by, ...entries.map(({ author_id }) => author_id)].every((id) => known.has(id));

const names = new Intl.Collator("und");

/** People or agents in the order of their names, as lists show them. */
export const sortedByName = <T extends { name: string | null }>(people: readonly T[]): T[] =>
  people.toSorted((one, other) => names.compare(one.name ?? "", other.name ?? ""));

/** The first members and agents of the workspace, each by name. */
export async function allPeople(site: Site, call: WorkspaceCall): Promise<Map<string, Named>> {
  const query = { limit: "100" };
  const [members, agents] = await Promise.all([
    unlessRefused(site.list<MemberView>(call, "members.list", { query: { ...query, sort: "name" } }), NO_LIST),
    unlessRefused(site.list<AgentView>(call, "agents.list", { query }), NO_LIST),
  ]);
  return new Map<string, Named>([
    ...members.data.map(
      ({ user_id: id, name, email, ...access }) =>
        [id, { id, name: name ?? email ?? null, kind: "user", sees: seenBy(access) }] as const,
    ),
    ...sortedByName(agents.data).map(
      ({ agent_id: id, name }) => [id, { id, name, kind: "agent", sees: "open" }] as const,
    ),
  ]);
}

const seenBy = ({ role, is_guest, project_ids }: Pick<MemberView, "role" | "is_guest" | "project_ids">) =>
  is_guest ? project_ids : isAdmin(role) ? "all" : "open";

/** Those who can be assigned: who cannot see the project is not offered. */
export async function assignable(
  site: Site,
  call: WorkspaceCall,
  project: Pick<ProjectView, "id" | "scoped">,
  people: People,
): Promise<People> {
  const { data } = project.scoped
    ? await unlessRefused(
        site.list<{ user_id: string }>(call, "project-members.list", { params: named(call), query: { limit: "100" } }),
        NO_LIST,
      )
    : NO_LIST;
  return whoSee(people, project, data);
}

export const personOf = (people: People, id: string): Named => people.get(id) ?? { id, name: null, kind: "user" };
