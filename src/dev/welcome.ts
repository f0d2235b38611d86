import type { DevFile } from "./dev-file.ts";

/** The message when the stack is ready: its address, and three calls to paste. */
export function welcome(file: DevFile, operatorPassword: string, folder: string, seconds: number): string {
  const { base_url, workspace, project_key, api_key } = file;
  const issues = `${base_url}/v1/workspaces/${workspace}/projects/${project_key}/issues`;
  const key = `-H 'Authorization: Bearer ${api_key}'`;
  return `
Muster is ready after ${seconds.toFixed(1)} s.

  address        ${base_url}
  API key        ${api_key}   (${file.owner_email}, workspace ${workspace}, project ${project_key})
  documentation  ${base_url}/docs
${file.mailbox_url ? `  mail           ${file.mailbox_url}   (sign in at ${base_url}/sign-in; nothing leaves the machine)\n` : ""}  queue console  ${base_url}/admin/queues   (user operator, password ${operatorPassword})
  data           ${folder}   (dev.json there has all of this for programs)

Try it:

curl ${key} ${base_url}/v1/me
curl ${key} ${issues}
curl ${key} -H 'Content-Type: application/json' -d '{"type":"task","title":"Try Muster"}' ${issues}

Ctrl-C stops everything.
`;
}
