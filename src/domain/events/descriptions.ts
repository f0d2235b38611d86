import { SAMPLE } from "../kernel/described.ts";

/** Descriptions of the fields of messages about events for the API description. */

export const aboutMessage = {
  id: ["Id of the event. It is the same on every attempt, and in the `webhook-id` header.", SAMPLE.other],
  type: ["Name of the event. Ignore names that you do not know: new ones are added.", "issue.updated"],
  timestamp: ["When it happened.", "2026-01-16T14:05:12.480Z"],
  sequence: ["Number that grows with every event of the workspace. `null` for `webhook.test`.", 4711],
  workspace: ["Where it happened. A receiver for several workspaces tells them apart by it."],
  actor: ["Who did it."],
  cause: ["What it was done through."],
  data: ["The object, as GET answered it at that moment. Of a deleted object its last state.", {}],
  previous: ["Old values of the changed fields. Only for changes.", { priority: "low" }],
  changed: ["Names of the changed fields. Only for changes.", ["priority"]],
  truncated: [
    "The message would be larger than 256 KiB, so long texts are cut, or `data` has nothing but its `id`. Else absent.",
  ],
} as const;

export const aboutMessageWorkspace = {
  id: ["Identifies the workspace, also when its slug changes.", SAMPLE.workspace],
  slug: ["Names the workspace in the paths of calls, as of now.", "acme"],
} as const;

export const aboutActor = {
  id: ["Id of the person or agent. `null` if it was neither.", SAMPLE.user],
  kind: ["What kind of actor it was."],
  name: ["What people see as the actor's name, as it was then. `null` if it has none.", "Ada"],
} as const;

export const aboutCause = {
  automation_id: ["The automation that made the change. `null` if none did.", null],
  agent_session_id: ["The session in which an agent made the change. `null` if it was not made in one.", null],
  workflow_run_id: ["The workflow run that made the change. `null` if none did.", null],
} as const;
