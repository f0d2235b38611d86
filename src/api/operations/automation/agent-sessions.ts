import { change } from "../../../domain/automation/agent-sessions/change.ts";
import {
  AgentSessionCreateInput,
  AgentSessionPatchInput,
  AgentSessionQuery,
} from "../../../domain/automation/agent-sessions/inputs.ts";
import { byId, listPage, read } from "../../../domain/automation/agent-sessions/sessions.ts";
import { start } from "../../../domain/automation/agent-sessions/start.ts";
import { AgentSessionView } from "../../../domain/automation/agent-sessions/view.ts";
import { resource } from "../../engine/resource.ts";

export const agentSessionOperations = resource("W/agent-sessions", {
  id: "agent-sessions",
  view: AgentSessionView,
  read: "agents:read",
  write: "agents:write",
  limitedKeys: "filter",
  entity: byId,
  list: {
    summary: "List agent sessions, newest activity first",
    query: AgentSessionQuery,
    handle: ({ ctx, query, paging }) => listPage(ctx, query, paging),
  },
  get: { summary: "Read an agent session", row: read },
  create: {
    summary: "Start a session, or continue the agent's open one on the issue",
    body: AgentSessionCreateInput,
    example: { title: "Fix the sign-in on Safari", project: "WEB", note: "Reading the code" },
    handle: ({ ctx, body, project }) => start(ctx, body, project),
  },
  patch: {
    summary: "Report progress or a new state; `{}` says that the agent is at work",
    body: AgentSessionPatchInput,
    example: { note: "Running the tests", plan: [{ text: "Write a test", status: "completed" }] },
    // A session can be ended when its project is archived.
    onArchived: true,
    handle: ({ ctx, on, body }) => change(ctx, on, body),
  },
});
