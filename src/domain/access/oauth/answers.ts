import type { Ctx } from "../../kernel/context.ts";
import { keepRecord, readRecord, useRecord } from "./records.ts";

/** What a person said to an authorization request. It stands where the provider looks for it on the way back. */
export type Answer =
  | { error: "access_denied"; error_description: string }
  | { login: { accountId: string; remember: false }; consent: { grantId: string; scopes: string[] } };

export const DENIED: Answer = { error: "access_denied", error_description: "the person said no" };

/**
 * Answers a request that nobody answered yet: of any number at once, one does. In one transaction with what the answer
 * brings about, so that whoever comes second finds an answer, and no grant is left that nobody can go on with. False: it
 * was answered before.
 */
export async function answerRequest(ctx: Ctx, uid: string, make: () => Promise<Answer>): Promise<boolean> {
  if (!(await useRecord(ctx, "Interaction", uid))) return false;
  await setAnswer(ctx, uid, await make());
  return true;
}

/** Puts another answer in the place of one that was not taken back to the program yet. */
export async function setAnswer(ctx: Ctx, uid: string, answer: Answer): Promise<void> {
  const request = await readRecord(ctx, "Interaction", uid);
  if (!request) return;
  const { consumed: _used, ...payload } = request;
  const params = {
    ...(payload.params as object),
    ...("consent" in answer && { scope: answer.consent.scopes.join(" ") }),
  };
  const left = Number(payload.exp) - Math.floor(Date.parse(ctx.now) / 1000);
  await keepRecord(ctx, "Interaction", uid, { ...payload, params, result: answer }, left);
}
