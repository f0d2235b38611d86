import {
  AgentAnswersView,
  AgentSessionDetailView,
  answersTo,
  readWithAnswers,
} from "../../../domain/automation/agent-sessions/answers.ts";
import { change } from "../../../domain/automation/agent-sessions/change.ts";
import {
  AgentSessionCreateInput,
  AgentSessionPatchInput,
  AgentSessionQuery,
} from "../../../domain/automation/agent-sessions/inputs.ts";
import { byId, listPage, read } from "../../../domain/automation/agent-sessions/sessions.ts";
import { start } from "../../../domain/automation/agent-sessions/start.ts";
import { AgentSessionView } from "../../../domain/automation/agent-sessions/view.ts";
import { markAbout } from "../../../domain/knowledge/notifications/notifications.ts";
import { MarkReadQuery } from "../../../domain/knowledge/notifications/view.ts";
import { operation } from "../../engine/operation.ts";
import { resource } from "../../engine/resource.ts";
import { markIfAsked } from "../knowledge/mark-read.ts";

const agentAnswers = operation({
  id: "agent-sessions.answers",
  route: "GET W/agent-sessions/{id}/answers",
  summary: "Read the answers to a session's last question",
  about:
    "The answers are the comments that people have written on the session's issue since it asked. The tool `update_session` returns them, too, and waits for them with `wait_seconds`.",
  needs: "comments:read",
  limitedKeys: "filter",
  on: read,
  returns: AgentAnswersView,
  handle: ({ ctx, on }) => answersTo(ctx, on),
});

const sessions = resource("W/agent-sessions", {
  id: "agent-sessions",
  view: AgentSessionView,
  read: "agents:read",
  write: "agents:write",
  limitedKeys: "filter",
  entity: byId,
  list: {
    summary: "List agent sessions, newest activity first",
    about: "Sessions without an issue are seen by all members but guests, others by those who see the issue.",
    query: AgentSessionQuery,
    handle: ({ ctx, query, paging }) => listPage(ctx, query, paging),
  },
  get: {
    summary: "Read an agent session",
    about:
      "`stalled` says that nothing was reported for 30 minutes, and `other_open_session_ids` who else works on the issue. `answers` are those to the last question.",
    returns: AgentSessionDetailView,
    row: readWithAnswers,
    query: MarkReadQuery,
    seen: (ctx, query, { id }) => markIfAsked(ctx, query, { session_id: id }),
  },
  create: {
    summary: "Start a session, or continue the agent's open one on the issue",
    about:
      "An agent has at most one open session on an issue: another start returns that one with `existing: true`. `issue_key: next` with a `project` takes the next issue that is ready and claims it; of many agents that ask at once, each gets another (409 `nothing_ready` says why there is none). `claim: true` keeps other sessions from claiming the issue (409 `issue_claimed`). A key of a person starts a session for the agent in `agent_id`, or one of their own. Then report with `PATCH …/agent-sessions/{id}` at least every 30 minutes.",
    body: AgentSessionCreateInput,
    example: { title: "Fix the sign-in on Safari", project: "WEB", note: "Reading the code" },
    handle: ({ ctx, body, project }) => start(ctx, body, project),
  },
  patch: {
    summary: "Report progress or a new state; `{}` says that the agent is at work",
    about:
      "Every call says that the agent is at work, also one with `{}`. `needs_input` with a `question` notifies people, whose answer arrives as `agent_session.input` on the event stream and is read with `GET …/answers`; `review` asks people to look at `external_url`. `done` and `failed` end the session and may be reopened; `cancelled` is final (409 `session_cancelled`): stop then. `plan` replaces the whole plan. A `running` session that is silent for a day fails.",
    body: AgentSessionPatchInput,
    example: { note: "Running the tests", plan: [{ text: "Write a test", status: "completed" }] },
    // A session can be ended when its project is archived.
    onArchived: true,
    handle: async ({ ctx, on, body }) => {
      const session = await change(ctx, on, body);
      if (body.state !== undefined) await markAbout(ctx, { session_id: session.id });
      return session;
    },
  },
});

export const agentSessionOperations = [...sessions, agentAnswers];
