import { OAUTH_PATHS } from "../oauth/paths.ts";
import { TOOL_SERVER } from "../oauth/resources.ts";

/** `/auth.md`: how a program gets a token, step by step. */
export const authGuide = (baseUrl: string): string => `# Connect to Muster

This guide is for programs that work in a person's workspace. Register, send a person here to approve you, and exchange
the code that comes back for a token. Only that person needs an account. The protocol is OAuth 2.1: any client library
works, and \`${baseUrl}/.well-known/oauth-authorization-server\` has all addresses.

## 1. Register

\`\`\`http
POST ${baseUrl}${OAUTH_PATHS.register}
Content-Type: application/json

{
  "client_name": "Your name, as people will read it",
  "workspace": "slug-of-the-workspace",
  "redirect_uris": ["http://127.0.0.1:8765/callback"],
  "grant_types": ["authorization_code", "refresh_token"],
  "response_types": ["code"],
  "token_endpoint_auth_method": "none",
  "scope": "read write"
}
\`\`\`

The reply is 201 with your \`client_id\`; keep it. \`workspace\` is optional and only a suggestion: the person chooses.
Without \`client_name\` people read the host of your first redirect address. A redirect address is on this computer
(\`http://127.0.0.1\`, any port), \`https\`, or of a scheme of your own. Ask for as little as you need: \`read\`,
\`write\`, \`admin\`, or finer scopes such as \`issues:write\`; without \`scope\` it is \`read\`. Later you can request only
what you registered with; for anything else, register again. Instead of registering you may use as \`client_id\` the https address of a document with these members.

An admin of a workspace can also create your client, for that workspace only: \`POST W/oauth-apps\`. A client with a secret
(an app that is not public, or \`"token_endpoint_auth_method": "client_secret_post"\` above) sends it as \`client_secret\` or
by HTTP Basic in steps 3, 5 and 6.

## 2. Send the person to approve

Make a random \`code_verifier\` of 43 to 128 characters, and open in the person's browser:

\`\`\`
${baseUrl}${OAUTH_PATHS.authorize}?response_type=code&client_id=<client_id>&redirect_uri=<one of yours>
  &scope=read%20write&state=<random>&code_challenge=<base64url of SHA-256 of the verifier>&code_challenge_method=S256
\`\`\`

They sign in by e-mail, choose the workspace, and approve all or some of the scopes. \`admin\` is not ticked on that page:
if you need it, for example to buy credits, ask the person to tick it. The browser then calls your
redirect address with \`code\`, your \`state\`, and \`iss\`, which is \`${baseUrl}\`; or with \`error\`. Check \`state\` and \`iss\`.

If you cannot listen on the person's computer, register \`http://127.0.0.1:8765/callback\` all the same, and ask the person
for the address at which their browser ends. The page does not load, but its address contains the \`code\`.

## 3. Exchange the code

Within 5 minutes, once:

\`\`\`http
POST ${baseUrl}${OAUTH_PATHS.token}
Content-Type: application/x-www-form-urlencoded

grant_type=authorization_code&code=<code>&redirect_uri=<the same>&client_id=<client_id>&code_verifier=<verifier>
\`\`\`

The reply has \`access_token\` (for an hour), \`refresh_token\`, \`scope\` (what was granted), \`workspace\` and
\`agent_id\`: you are a member of that workspace now, under your own name.

## 4. Work

Send \`Authorization: Bearer <access_token>\`. \`GET ${baseUrl}/v1/me\` tells who you are and what you may do; the API is
described at \`${baseUrl}/api/v1/openapi.json\`. The same token serves at the tool server, \`${baseUrl}${TOOL_SERVER}\`.

- 401: the token has expired; refresh it. If refreshing returns \`invalid_grant\`, go back to step 2.
- 403 with \`insufficient_scope\`: \`WWW-Authenticate\` names the missing scope; go back to step 2 and request it too, or to step 1
  if you registered without it (\`invalid_scope\`).
- 429: wait for the seconds in \`Retry-After\`.

## 5. Refresh

\`\`\`http
POST ${baseUrl}${OAUTH_PATHS.token}
Content-Type: application/x-www-form-urlencoded

grant_type=refresh_token&refresh_token=<refresh_token>&client_id=<client_id>
\`\`\`

Each reply brings a new refresh token and ends the one before: store it before you use the access token, and let one
process refresh at a time. An old one is rejected. If it is used more than a few seconds later, the whole grant is revoked,
because someone else may have it. A refresh token expires after 30 days without use, and a grant after a year.

If the token endpoint returns 401 \`invalid_client\`, your secret is wrong, or your registration was deleted: start again at
step 1.

## 6. Leave

\`\`\`http
POST ${baseUrl}${OAUTH_PATHS.revoke}
Content-Type: application/x-www-form-urlencoded

token=<either token>&client_id=<client_id>
\`\`\`

This revokes the whole grant at once. People can also disconnect you in their workspace at any time.
`;
