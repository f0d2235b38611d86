import { SAMPLE } from "../../kernel/described.ts";

/** Descriptions of actions' parameters, for the API description. */

export const aboutAction = {
  type: ["What the action does."],
  target: [
    "The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees.",
    "self",
  ],
  status: ["Category, id or name of the column to move the issue to.", "in_review"],
  priority: ["New priority of the issue.", "high"],
  assign_target: [
    "Who becomes the assignee: one `member`, the `triggering_user`, the `reporter`, or the members of a list in turn (`round_robin`).",
  ],
  member_id: ["User id of the person or agent. Required with `assign_target` `member`.", SAMPLE.user],
  member_ids: [
    "User ids of the people and agents who take turns. Required with `assign_target` `round_robin`.",
    [SAMPLE.user],
  ],
  label_id: ["The label to add or remove, by id or name. It must exist in the issue's project.", SAMPLE.label],
  sprint_target: ["Where the issue goes: the `active` sprint, a `specific` one, or the `backlog`, which is no sprint."],
  sprint_id: ["Id of the sprint. Required with `sprint_target` `specific`.", SAMPLE.sprint],
  comment: [
    "Text of the comment as Markdown. `{{issue.title}}` and similar paths are replaced.",
    "Thanks, {{actor.name}}.",
  ],
  agent_user_id: [
    "The agent that starts to work on the issue. It must be a connected agent of the workspace.",
    SAMPLE.agent,
  ],
  prompt: ["What the agent should do. Paths are replaced.", "Please triage {{issue.key}}."],
  field: ["The issue field to set, or the id or name of the custom field.", "completion_pct"],
  value: ["New value of the field. `null` clears it. Paths in texts are replaced.", 100],
  project: [
    "Id or key of the project of the new issue. Left out: the project of the run's issue, or of the automation.",
    "WEB",
  ],
  issue: [
    "Fields of the new issue. They may also be sent beside `type`, except for the issue's own type. Paths in the title and the description are replaced.",
    { title: "Follow up on {{issue.key}}" },
  ],
  link_kind: [
    "How the new issue is linked to the issue of the run, from the new issue to that one. Left out: no link.",
    "relates_to",
  ],
  kind: ["Kind of the link, from the issue to the other one.", "relates_to"],
  target_key: ["Key or id of the other issue.", "WEB-2"],
  user_ids: ["User ids of the people to notify.", [SAMPLE.user]],
  to: ["People of the issue to notify. Left out: only those in `user_ids`.", "assignee"],
  message: ["What the notification says. Paths are replaced.", "{{issue.key}} needs you."],
  channel_id: ["The channel that the message goes to. It must be visible to the automation's creator.", SAMPLE.channel],
  body_md: ["Text of the message as Markdown. Paths are replaced.", "{{issue.key}} is done."],
  webhook_id: ["Id of the webhook, which gets the event whatever its `event_types`.", SAMPLE.webhook],
  url: ["Address to send the event to, if it is not a webhook's.", "https://receiver.example/muster"],
  workflow_id: ["Id of the workflow to start on the issue.", SAMPLE.other],
} as const;

export const aboutFired = {
  automation_id: ["The automation that sent the event. `null` if a workflow did.", SAMPLE.other],
  workflow_id: ["Id of the workflow. `null` if an automation sent the event.", null],
  name: ["Which automation or workflow acted, for people.", "Triage bugs"],
  run_id: ["The run that acted. Read it to see why.", SAMPLE.other],
  trigger: ["What started the run of the automation. `null` for workflows.", "issue.created"],
  issue: ["The issue of the run. `null` if it has none."],
} as const;

export const aboutWake = {
  agent_id: ["The agent that was woken.", SAMPLE.agent],
  automation_id: ["Id of the automation that woke the agent. `null` if a workflow did.", SAMPLE.other],
  workflow_run_id: ["Id of the workflow run that woke the agent. `null` if an automation did.", null],
  prompt: ["What the agent should do. `null` if the action does not say it.", "Please triage WEB-1."],
  issue: ["The issue that it is about. `null` if it is about none."],
} as const;
