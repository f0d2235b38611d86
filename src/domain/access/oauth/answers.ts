import type { Ctx } from "../../kernel/context.ts";
import { readRecord, saveRecord, useRecord } from "./records.ts";

/** A person's answer to an authorization request, in the form that the provider reads on the way back. */
export type Answer =
  | { error: "access_denied"; error_description: string }
  | { login: { accountId: string; remember: false }; consent: { grantId: string; scopes: string[] } };

export const DENIED: Answer = { error: "access_denied", error_description: "the person said no" };

/**
 * Answers a request that has no answer yet. Of several concurrent calls, exactly one answers. It must run in the same
 * transaction as the effects of the answer, so that a later call finds the answer and no unused grant is left.
 * Returns false if the request was answered before.
 */
export async function answerRequest(ctx: Ctx, uid: string, make: () => Promise<Answer>): Promise<boolean> {
  if (!(await useRecord(ctx, "Interaction", uid))) return false;
  await setAnswer(ctx, uid, await make());
  return true;
}

/** Replaces an answer that the program has not received yet. */
export async function setAnswer(ctx: Ctx, uid: string, answer: Answer): Promise<void> {
  const request = await readRecord(ctx, "Interaction", uid);
  if (!request) return;
  const { consumed: _used, ...payload } = request;
  const params = {
    ...(payload.params as object),
    ...("consent" in answer && { scope: answer.consent.scopes.join(" ") }),
  };
  const left = Number(payload.exp) - Math.floor(Date.parse(ctx.now) / 1000);
  await saveRecord(ctx, "Interaction", uid, { ...payload, params, result: answer }, left);
}
