import type { World } from "../../support/world.ts";
import { type Case, made } from "./case.ts";

/** What is recorded of changes of forms, and of what is sent with them. */

const shared = async (world: World) => ({
  id: await made(world, "P/forms", { title: "Target", status: "published", public_enabled: true }),
});

export const formChanges: Readonly<Record<string, Case[]>> = {
  "forms.create": [{ says: ["form.created"] }],
  "forms.patch": [
    { does: "fields anew, and a password", says: ["form.updated"] },
    {
      does: "closes",
      params: shared,
      body: () => ({ status: "closed", public_enabled: false }),
      says: ["form.updated"],
      again: 200,
    },
  ],
  "forms.delete": [{ says: ["form.deleted"], again: 404 }],
  "forms.submit": [{ says: ["issue.created", "form.submitted"], lines: ["created"] }],
  "forms.rotate-link": [{ params: shared, says: ["form.updated"] }],
};
