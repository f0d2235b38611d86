import { z } from "zod";
import { describeCaller, MeView } from "../../../domain/access/identity/me.ts";
import { operation } from "../../engine/operation.ts";

export const me = operation({
  id: "me.get",
  route: "GET /v1/me",
  summary: "Identity of the calling key",
  about:
    "Call it first: the reply names the workspace whose slug all other paths need, the scopes of the credential, and the person or agent that it acts as.",
  needs: "any",
  limitedKeys: "filter",
  query: z.strictObject({}),
  returns: MeView,
  handle: ({ ctx }) => describeCaller(ctx),
});
