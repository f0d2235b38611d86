import { expect, test } from "vitest";
import { failTool, useTool } from "../support/tools.ts";
import { world } from "../support/world.ts";

/** Tools take the words that other tools and replies use, list people and labels, and return answers to questions. */

test("issue, issue_key, session and session_id name the same argument in every tool", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "First" }).expect(201);
  expect((await useTool(owner, "get_issue", { issue_key: "WEB-1" })).data.key).toBe("WEB-1");
  await useTool(owner, "add_comment", { issue_key: "WEB-1", body_md: "Hello" });
  expect((await useTool(owner, "list_labels", { project_key: "WEB" })).data).toEqual([]);
  const { data: session } = await useTool(owner, "start_session", { title: "Work", issue: "WEB-1" });
  expect(session.issue_key).toBe("WEB-1");
  for (const name of ["id", "session", "session_id"]) {
    expect((await useTool(owner, "update_session", { [name]: session.id, note: name })).data.note).toBe(name);
  }
  const call = (operation: string, path: Record<string, string>) => ({ operation, path });
  const paths: Record<string, string>[] = [
    { project: "WEB", issue: "WEB-1" },
    { project_key: "WEB", issue_key: "WEB-1" },
  ];
  for (const path of paths) {
    expect((await useTool(owner, "call_operation", call("getIssue", path))).data.key).toBe("WEB-1");
  }
  expect((await useTool(owner, "call_operation", call("getIssueByKey", { issue: "WEB-1" }))).data.key).toBe("WEB-1");
  const named = call("getAgentSession", { session: session.id });
  expect((await useTool(owner, "call_operation", named)).data.id).toBe(session.id);
  const other = await failTool(owner, "call_operation", call("getChannel", { session: session.id }));
  expect(other.code).toBe("validation_failed");
  const twice = await failTool(owner, "call_operation", call("getIssueByKey", { issue: "WEB-1", issueKey: "WEB-1" }));
  expect(twice.code).toBe("mutually_exclusive");
  const both = await failTool(owner, "get_issue", { issue: "WEB-1", issue_key: "WEB-1" });
  expect(both.code).toBe("mutually_exclusive");
});

test("an issue's key is taken as key and id, too", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  for (const name of ["key", "id"]) {
    expect((await useTool(owner, "get_issue", { [name]: "WEB-1" })).data.key).toBe("WEB-1");
  }
});

test("people are found by name and address, and labels listed; guests find others by name only", async () => {
  const { owner, as, sql } = await world();
  const ada = await as({ role: "member", name: "Ada Love_lace" });
  await owner.post("P/labels", { name: "bug" }).expect(201);
  const byName = await useTool(owner, "list_members", { q: "LOVE_" });
  expect(byName.data).toEqual([expect.objectContaining({ user_id: ada.userId, email: ada.email })]);
  expect((await useTool(owner, "list_members", { q: "lo%e" })).data).toEqual([]);
  expect((await useTool(owner, "list_members", { email: ada.email.toUpperCase() })).data).toEqual(byName.data);
  expect((await useTool(owner, "list_labels", { project: "WEB" })).data).toMatchObject([{ name: "bug" }]);

  // The domain is stored as punycode, and compared in any spelling.
  await sql("update app_user set email = 'ada@xn--bcher-kva.example' where id = $1", [ada.userId]);
  expect((await useTool(owner, "list_members", { email: "Ada@Bücher.example" })).data).toMatchObject([
    { user_id: ada.userId },
  ]);

  const guest = await as({ role: "guest", projectRole: "member" });
  const [found] = (await guest.get("W/members?q=love").expect(200)).data;
  expect(found.email).toBeUndefined();
  expect((await guest.get(`W/members?email=${encodeURIComponent(ada.email)}`).expect(200)).data).toEqual([]);
});

test("an agent that asks by tool gets the answer, with the option that was chosen, and waits for it", async () => {
  const { owner, as } = await world();
  const agent = await as({ role: "member", isAgent: true, name: "Robin", kind: "agent" });
  await owner.post("P/issues", { title: "First" }).expect(201);
  const { data: session } = await useTool(agent, "start_session", { title: "Work", issue_key: "WEB-1" });
  const { id } = session;
  await owner.post("P/issues/WEB-1/comments", { body_md: "Before the question" }).expect(201);
  const question = { text: "Which browsers?", options: ["Safari only", "All"] };
  const asked = await useTool(agent, "update_session", { id, state: "needs_input", question });
  expect(asked.data.answers).toEqual([]);
  await useTool(agent, "add_comment", { issue: "WEB-1", body_md: "An agent's own comment is no answer" });

  const waiting = useTool(agent, "update_session", { id, wait_seconds: 20 });
  await owner.post("P/issues/WEB-1/comments", { body_md: "safari only" }).expect(201);
  const answer = { author_id: owner.userId, body_md: "safari only", option: "Safari only" };
  expect((await waiting).data.answers).toEqual([expect.objectContaining(answer)]);
  const { data } = await agent.get(`W/agent-sessions/${id}/answers`).expect(200);
  expect(data).toMatchObject({ state: "needs_input", question: "Which browsers?", answers: [answer] });

  const whole = await agent.get(`W/agent-sessions/${id}`).expect(200);
  expect(whole.data.answers).toEqual(data.answers);
  const shortKey = await as({ role: "member", scopes: ["agents:read"] });
  expect((await shortKey.get(`W/agent-sessions/${id}`).expect(200)).data.answers).toBeNull();

  const started = Date.now();
  const going = await useTool(agent, "update_session", { id, state: "running", wait_seconds: 50 });
  // The session no longer waits. Its answers still name the option.
  expect(going.data.answers).toEqual(data.answers);
  expect(Date.now() - started).toBeLessThan(5_000);
  expect((await failTool(agent, "update_session", { id, wait_seconds: 51 })).details.errors[0].path).toBe(
    "/wait_seconds",
  );
  await agent.patch(`W/agent-sessions/${id}`, { state: "needs_input" }).expect(200);
  await owner.post("P/issues/WEB-1/comments", { body_md: "Safari only" }).expect(201);
  const again = (await agent.get(`W/agent-sessions/${id}`).expect(200)).data;
  expect(again.answers).toMatchObject([{ body_md: "Safari only", option: null }]);
  const other = await world();
  await other.owner.get(`W/agent-sessions/${id}/answers`).expect(404, "not_found");
});

test("ready=false lists the issues that ready=true leaves out", async () => {
  const { owner } = await world();
  await owner.post("P/issues/bulk", { items: [{ title: "a" }, { title: "b", status: "done" }, { title: "c" }] });
  await owner.post("P/issues/WEB-3/links", { kind: "blocks", target_key: "WEB-1" }).expect(201);
  const keys = async (query: string) =>
    (await owner.get(`P/issues?${query}`).expect(200)).data.map(({ key }: { key: string }) => key);
  expect(await keys("ready=true")).toEqual(["WEB-3"]);
  expect(await keys("ready=false")).toEqual(["WEB-1", "WEB-2"]);
  expect(await keys("ready=FALSE&status=done")).toEqual(["WEB-2"]);
  await owner.get("P/issues?ready=maybe").expect(400, "invalid_parameter");
});
