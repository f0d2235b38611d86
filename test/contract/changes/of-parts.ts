import type { World } from "../../support/world.ts";
import type { Params } from "../examples.ts";
import { type Case, issue, made, valued } from "./case.ts";

/** What is recorded of changes of what belongs to an issue: links, watchers, fields, time and comments. */

const commented = async (world: World, more: Record<string, unknown> = {}): Promise<Params> => {
  const params = await issue(world);
  return { ...params, id: await made(world, `P/issues/${params.issueKey}/comments`, { body_md: "Hello", ...more }) };
};

export const partChanges: Readonly<Record<string, Case[]>> = {
  "links.create": [
    { says: ["issue.link.created", "issue.updated", "issue.updated"], lines: ["link_added", "link_added"], again: 201 },
    {
      does: "blocks",
      body: () => ({ kind: "blocks", direction: "in", target_key: "WEB-1" }),
      says: ["issue.link.created", "issue.updated", "issue.updated"],
      lines: ["link_added", "link_added"],
      again: 201,
    },
  ],
  "links.delete": [
    {
      says: ["issue.link.deleted", "issue.updated", "issue.updated"],
      lines: ["link_removed", "link_removed"],
      again: 404,
    },
  ],

  // Announcing an upload reserves storage and shows nothing yet.
  "attachments.create": [{ says: [] }],
  "attachments.commit": [
    { says: ["issue.attachment.created", "issue.updated"], lines: ["attachment_added"], again: 201 },
  ],
  "attachments.delete": [
    { says: ["issue.attachment.deleted", "issue.updated"], lines: ["attachment_removed"], again: 404 },
  ],

  // Watching triggers no work for others.
  "watchers.create": [{ says: [], again: 200 }],
  "watchers.delete": [{ params: async (world) => ({ ...(await issue(world)), userId: "me" }), says: [], again: 200 }],

  "custom-field-defs.create": [{ says: ["custom_field.created"], again: 409 }],
  "custom-field-defs.patch": [
    { says: ["custom_field.updated"], again: 200 },
    {
      does: "an option goes",
      params: valued,
      body: () => ({ options: ["Small"] }),
      says: ["issue.updated", "custom_field.updated"],
      lines: ["field_cleared"],
      again: 200,
    },
  ],
  "custom-field-defs.delete": [
    {
      does: "with a value",
      params: valued,
      says: ["issue.updated", "custom_field.deleted"],
      lines: ["field_cleared"],
      again: 404,
    },
  ],
  "custom-fields.set": [{ says: ["issue.updated"], lines: ["field_set"], again: 200 }],
  "custom-fields.clear": [
    { does: "no value", says: [], again: 200 },
    { params: valued, says: ["issue.updated"], lines: ["field_cleared"], again: 200 },
  ],

  "time.patch": [
    { does: "and logs", says: ["issue.updated"], lines: ["time_logged", "updated"] },
    {
      does: "remaining",
      body: () => ({ remaining_minutes: 5 }),
      says: ["issue.updated"],
      lines: ["updated"],
      again: 200,
    },
  ],

  "time-entries.create": [{ says: ["issue.updated"], lines: ["time_logged"] }],
  "time-entries.patch": [{ says: ["issue.updated"], lines: ["time_logged"], again: 200 }],
  "time-entries.delete": [{ says: ["issue.updated"], lines: ["time_logged"], again: 404 }],

  "comments.create": [
    { says: ["comment.created"], lines: ["commented"] },
    {
      does: "an external one",
      body: () => ({ body_md: "x", external_id: "1" }),
      says: ["comment.created"],
      lines: ["commented"],
      again: 201,
    },
    {
      does: "a reply",
      params: commented,
      body: (_, { id }) => ({ body_md: "Reply", parent_id: id }),
      says: ["comment.created"],
      lines: ["commented"],
    },
  ],
  "comments.bulk-create": [{ says: ["comment.created", "comment.created"], lines: ["commented", "commented"] }],
  "comments.patch": [
    { says: ["comment.updated"], lines: ["comment_edited"], again: 200 },
    {
      does: "a mention",
      params: commented,
      body: async ({ as }) => ({ body_md: `Hello @[You](${(await as({ role: "member" })).userId})` }),
      says: ["comment.updated"],
      lines: ["comment_edited"],
      again: 200,
    },
  ],
  "comments.delete": [
    { says: ["comment.deleted"], lines: ["comment_deleted"], again: 404 },
    {
      does: "with a reply",
      async params(world) {
        const params = await commented(world);
        await made(world, `P/issues/${params.issueKey}/comments`, { body_md: "Reply", parent_id: params.id });
        return params;
      },
      says: ["comment.deleted"],
      lines: ["comment_deleted"],
      again: 404,
    },
  ],
};
