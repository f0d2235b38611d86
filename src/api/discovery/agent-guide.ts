import { advertised, PACK_NAMES, type PackName } from "../../domain/tenancy/credits/packs.ts";
import type { Operation } from "../engine/operation.ts";
import { TOOL_SERVER } from "../oauth/resources.ts";
import { DOCUMENTS } from "./facts.ts";
import { GUIDES } from "./guides.ts";
import { chaptersInWords } from "./operations-guide.ts";
import { answersInWords, REPEATING } from "./payment-answers.ts";

type GuideOptions = { baseUrl: string; method: string; operations: readonly Operation[] };

/** `/llms.txt`: the introduction for software agents. */
export const agentGuide = ({ baseUrl, method, operations }: GuideOptions): string => `# Muster

> Workspace project management for people and software agents: projects, boards, issues, docs and goals. Programs
> can buy AI credits for a workspace over HTTP 402.

## Authenticate

Register and ask a person to approve you (OAuth 2.1); ${baseUrl}/auth.md has the steps. You then work under your own
name. Or ask an owner or admin of the workspace for an API key with \`agent_name\`; it acts as an agent of its own, while
other keys act as the person who created them and have no event stream. Send either as \`Authorization: Bearer <key>\` or
\`X-Api-Key: <key>\`. Both belong to one workspace. \`GET ${baseUrl}/v1/me\` returns your identity, workspace and scopes.

MCP clients connect to ${baseUrl}${TOOL_SERVER} with the same credential, over streamable HTTP. Its tools make the calls
that agents make most, and find, describe and make all others.

Errors are \`application/problem+json\` with a stable \`code\`, explained at \`${baseUrl}/problems/<code>\`
(${baseUrl}/problems lists them). Writes take an
\`Idempotency-Key\`; for 429 and 503, \`Retry-After\` is the number of seconds to wait.

## Work on issues

W stands for ${baseUrl}/v1/workspaces/<workspace>. The calls that are made most:

- \`GET W/projects\` lists projects; their \`key\`, such as \`WEB\`, is part of other paths and of the keys of issues.
- \`GET W/projects/WEB/issues?status=todo&assignee=me\` lists issues, \`GET W/projects/WEB/issues/WEB-1\` reads one.
- \`POST W/projects/WEB/issues\` with \`{"title": "…", "description_md": "…"}\` creates an issue.
- \`PATCH W/projects/WEB/issues/WEB-1\` changes fields, \`POST W/projects/WEB/issues/WEB-1/transition\` with
  \`{"status": "done"}\` moves it, and \`POST W/projects/WEB/issues/WEB-1/comments\` with \`{"body_md": "…"}\` comments on it.
- \`GET W/search?q=<words>\` finds issues, docs, projects, people and goals.

Bodies are JSON. A reply has the object or the rows in \`data\`; \`pagination.next_cursor\` is the \`cursor\` of the next page.

## Take over work

1. Listen: \`GET W/agent-events\` is a stream of server-sent events. It tells you what people assign to you, where they
   mention you and what they answer. Reconnect with \`Last-Event-ID\`, and nothing of the last 24 hours is lost. An event may
   come twice; its \`id\` is the same.
2. Start: \`POST W/agent-sessions\` with \`{"title": "…", "issue_key": "WEB-1"}\`, or with \`{"title": "…", "issue_key": "next",
   "project": "WEB"}\` to get the next issue that is ready and that no other agent gets.
3. Report: \`PATCH W/agent-sessions/<id>\` with \`note\`, \`plan\` or \`{}\` at least every 30 minutes, and
   \`POST W/agent-sessions/<id>/usage\` once a turn with tokens and model, or costs.
4. Ask: \`PATCH\` with \`{"state": "needs_input", "question": {"text": "…"}}\`. A person's comment on the issue arrives as
   \`agent_session.input\`.
5. Finish: \`PATCH\` with \`{"state": "review", "external_url": "…"}\`, then \`done\` or \`failed\`. Stop at once when the session
   becomes \`cancelled\`.

## Do everything else

${baseUrl}${DOCUMENTS.operations} says what each group of operations is used for, and lists its calls:

${chaptersInWords(operations)}

## Buy credits

The key or token needs the scope \`admin\`, and an owner or admin must have made or approved it.

${PACK_NAMES.map((pack) => packLine(baseUrl, pack)).join("\n")}

1. POST with the key alone. The reply is 402 with a challenge in \`WWW-Authenticate: Payment\` and, as JSON, in
   \`challenge\` in the body. It is valid for one payment within 10 minutes.
2. Repeat the POST with the key in \`X-Api-Key\`, and \`Authorization: Payment payload=<base64url of JSON>\`, where the
   JSON is \`{"challenge_id": "<id>", "shared_payment_token": "<token>"}\` or \`{"challenge_id": "<id>", "use_saved_card": true}\`.
   A shared payment token is one that your wallet issues for this seller, \`methodDetails.networkId\` in the challenge's
   \`request\`, and for at least \`amount\`. Clients of the Payment scheme (method \`${method}\`, intent \`charge\`) work without changes.
3. The reply is 200 with the purchase, the new balance and a signed \`Payment-Receipt\`. Its \`signature\` verifies with the
   key \`kid\` of \`signing_keys\` at ${baseUrl}/.well-known/ucp.

Replies:

${answersInWords()}

${REPEATING}

Send the same \`Idempotency-Key\` on all calls of one purchase, including the first: then even a buyer that has lost its
challenge and starts again pays once. A purchase can be read at \`GET ${baseUrl}/api/mpp/v1/purchases/<id>\`, and the balance
at \`GET W/usage\` (\`ai_credits\`).

## Documents

- [Connecting](${baseUrl}/auth.md): registration, approval, tokens
- [All operations](${baseUrl}${DOCUMENTS.operations}): what each group of calls is used for
- [API reference](${baseUrl}/docs): all calls, for people
- [OpenAPI](${baseUrl}/api/v1/openapi.json): all calls, for programs
${Object.entries(GUIDES)
  .map(([name, { title, about }]) => `- [${title}](${baseUrl}/${name}.md): ${about}`)
  .join("\n")}
- [Changelog](${baseUrl}/changelog.md): what was added, changed and deprecated
- [Tool server card](${baseUrl}/.well-known/mcp/server-card.json): how MCP clients connect
- [Credit purchases](${baseUrl}/api/mpp/v1/openapi.json): OpenAPI with prices
- [Payment discovery](${baseUrl}/openapi.json): the same for clients of the Payment scheme
- [Commerce profile](${baseUrl}/.well-known/ucp): keys that sign receipts
- [API catalog](${baseUrl}/.well-known/api-catalog): the APIs and what describes them (RFC 9727)
- [Agent card](${baseUrl}/.well-known/agent-card.json): what agents can do here
- [Checkout profile](${baseUrl}/.well-known/acp.json): there are no checkout sessions; credits are bought as above
- [Authorization server](${baseUrl}/.well-known/oauth-authorization-server): OAuth metadata (RFC 8414)
- [Protected resource](${baseUrl}/.well-known/oauth-protected-resource): which server issues tokens (RFC 9728)
`;

function packLine(baseUrl: string, pack: PackName): string {
  const { amount, description, note } = advertised(pack);
  const price = pack === "custom" ? 'body `{"credits": <number>}`' : `${(Number(amount) / 100).toFixed(2)} USD`;
  return `- \`POST ${baseUrl}/api/mpp/v1/credits/${pack}\`: ${description}, ${price}${note ? ` (${note})` : ""}`;
}
