/**
 * The replies to a credit purchase, for `/llms.txt` and both payment documents. The API description
 * declares five of them. Buyers also need to know how to handle the others.
 */
const ANSWERS: [status: string, meaning: string][] = [
  ["200", "Paid. The body is the purchase, `Payment-Receipt` the signed receipt."],
  ["202", "The card processor has not finished. Do not pay again; send the same call again, or read the purchase."],
  ["400", "The body or the Payment credential is wrong. Nothing was charged."],
  ["401", "There is no valid API key."],
  [
    "402",
    "Nothing was charged by this call. `code` says why, `challenge` is what may be paid, and `retryable` says whether " +
      "paying it makes sense.",
  ],
  ["403", "The key lacks the scope `admin`, is limited to some projects, or its user is neither owner nor admin."],
  ["409", "`idempotency_key_reused`: this `Idempotency-Key` was used for another body."],
  [
    "429",
    "`idempotency_in_progress`: this payment is still under way; send the same call again after `Retry-After` seconds, " +
      "and do not pay again. `rate_limited`: too many calls or too many declined cards; wait, or pay with another card.",
  ],
  [
    "503",
    "`payment_unknown`: the card may have been charged; send the same call again after `Retry-After` seconds, and do " +
      "not pay again. The outcome is known within half a minute while the card processor answers. `payments_off`: " +
      "nothing is sold here.",
  ],
];

/** A Markdown list with one line per status. */
export const answersInWords = (): string => ANSWERS.map(([status, meaning]) => `- ${status}: ${meaning}`).join("\n");

/** Common mistakes of buyers, as Markdown paragraphs. */
export const REPEATING = `
Sending a paid call again is always safe, with and without an \`Idempotency-Key\`: the same credential from the same API
key is answered with the purchase as it stands, and is never charged again. A declined payment is answered with the same
decline and the same new challenge.

\`challenge_consumed\` says that the challenge was used with another credential. \`error.details.state\` tells how that
ended: \`consumed\` means that it was paid, so do not pay again; \`failed\` means that the payment was declined or never
made, so nothing was bought. \`error.details.purchase_id\` names the purchase.

\`payment_action_required\` and \`no_saved_card\` need a person: send an owner or admin to \`error.details.action_url\`, a
page where they save the card and confirm it with its bank.

If a charge turns up after its purchase was answered as failed, and another purchase was made instead, the late charge
is refunded. Its \`payment_status\` is then \`refunded\`, owners are told by mail, and webhooks get
\`credits.charge_refunded\`.
`.trim();
