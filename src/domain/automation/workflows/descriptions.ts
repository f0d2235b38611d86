import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of workflows, for the API description. */

const EXAMPLE_NODE = "review";

/** The fields of all kinds of `config`. */
export const aboutConfig = {
  title: ["What is to be done, in a few words.", "Review the change"],
  instructions: ["What is to be done, as Markdown.", "Check the **tests** first."],
  timeout_minutes: [
    "Minutes after which the stage ends with the outcome `timeout`. `null` or left out: never; for agents 1440.",
    1440,
  ],
  spend_cap_usd: [
    "What the agent may spend on the stage, in US dollars. When the costs that it reports reach this, the stage fails. `null`: no limit of its own.",
    5,
  ],
  assign: ["Whether whoever works on the stage is an assignee of the issue meanwhile."],
  role: ["If `assignee_user_id` is `null`: anyone with at least this role may complete the stage.", "member"],
  due_in_hours: ["Hours in which the stage is to be done. It stays open afterwards.", 48],
  join: ["Whether the node waits for every branch that leads to it, or for the first one."],
  result: ["How the run ends here."],
  set_status: ["Status that the issue gets here: category, or id or name of a status.", "done"],
  approver_ids: ["User ids of those who may approve. Agents may only if they are named here.", [SAMPLE.user]],
  approver_role: ["Whoever has at least this role may approve. Send this or `approver_ids`.", "admin"],
  required: ["Number of approvals that are needed. One rejection is enough to reject.", 1],
  allow_self: ["Whether those who started the run or completed the stage before may approve."],
  on_timeout: ["What a time-out counts as."],
  actions: [
    "What is done, in this order. The same actions as those of automations.",
    [{ type: "set_priority", priority: "high" }],
  ],
  retries: ["How often an action is tried again after a fault.", 2],
  minutes: ["Minutes to wait. Send one of `minutes`, `until_field` and `event`.", 60],
  until_field: [
    "Field of the issue with the time to wait for: `start_at`, `due_at` or `custom_field:` and its id.",
    "due_at",
  ],
  event: ["The run goes on when this event happens to its issue.", { type: "comment.created" }],
  event_type: ["What has to happen, as named in the event catalogue.", "comment.created"],
} as const;

export const aboutNode = {
  id: ["Id of the node, unique in the graph. It is kept as given.", EXAMPLE_NODE],
  kind: ["Decides what the node does and which keys its `config` takes."],
  label: ["Text that people see on the node. `null` if there is none.", "Review"],
  assignee_user_id: [
    "User id of the agent or person who works on the stage. `null`: as `config` says, else the issue's assignee.",
    null,
  ],
  config: ["Settings of the node. Each kind has its own fields."],
  pos_x: ["Horizontal position in an editor.", 0],
  pos_y: ["Vertical position in an editor.", 120],
} as const;

export const aboutEdge = {
  id: ["Id of the edge, unique in the graph.", "e1"],
  source_node_id: ["Id of the node where the edge begins.", "start"],
  target_node_id: ["Id of the node to which the edge leads.", EXAMPLE_NODE],
  branch_label: [
    "Outcome after which the edge is followed: `true`, `false`, `approved`, `rejected`, `success`, `failure`, `timeout` or `always`. `null` and other texts: after a good outcome.",
    null,
  ],
} as const;

export const aboutGraph = {
  nodes: ["All nodes of the graph, at most 200."],
  edges: ["All edges of the graph, at most 400. They must not form a cycle."],
  if_version: ["Version that you have read. Another current version is answered with 409.", 1],
} as const;

const workflow = {
  name: ["What people see as the workflow's name. It need not be unique.", "Review and release"],
  description: [
    "What the workflow is for. `null` if there is no description.",
    "Every change is reviewed by two people.",
  ],
} as const;

export const aboutWorkflowInput = {
  ...workflow,
  ...aboutGraph,
  project_id: ["Project whose issues may go through the workflow: id, key or slug. `null`: all projects.", null],
  status: ["`enabled` lets runs start, `draft` stops new ones."],
  enabled: ["Another way to say `status`: `true` for `enabled`, `false` for `draft`."],
} as const;

export const aboutWorkflow = {
  ...workflow,
  id: idOf("workflow"),
  project_id: ["Project whose issues may go through the workflow. `null`: all projects.", null],
  status: ["Whether runs can start. A new workflow is a draft."],
  disabled_reason: ["`plan` if the workflow was disabled because the plan allows fewer. Otherwise `null`."],
  version: countOf("Version of the graph. Each change of the graph adds one; runs keep theirs.", 1),
  valid: ["Whether the workflow could be enabled when it was last changed. Enabling it checks again."],
  problems: ["What kept the workflow from being enabled when it was last changed, at most 100 entries."],
  in_flight_runs: countOf("Number of open runs of issues that you can see.", 0),
  created_by: userId(
    "User id of the person or agent who created the workflow. Its actions have their rights. If they are no admin any more, whoever enables the workflow takes their place.",
  ),
  ...timesOf("workflow"),
} as const;

export const aboutProblem = {
  code: ["What is wrong.", "missing_branch"],
  message: ["What is wrong, and what to do.", 'The condition check needs an edge with the branch_label "false".'],
  node_id: ["The node with the problem. `null` if it is not about one.", "check"],
  edge_id: ["The edge with the problem. `null` if it is not about one.", null],
  path: ["JSON pointer into the graph.", "/nodes/1"],
} as const;

export const aboutDeleteQuery = {
  cancel_runs: ["`true` cancels the open runs. Without it, a workflow with open runs is not deleted."],
} as const;

export const aboutDeleted = {
  id: idOf("deleted workflow"),
  deleted: ["Always `true`."],
  cancelled_runs: countOf("Number of runs that were open. They are cancelled shortly after the reply.", 0),
} as const;
