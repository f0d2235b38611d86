import type { World } from "../../support/world.ts";
import { issue, made } from "../changes/case.ts";
import type { Params } from "../examples.ts";
import { crossing, move, patch, post, retitle } from "./crossing.ts";

const agent = async (world: World): Promise<string> => {
  const body = { name: "Bot", agent_name: "Bot", scopes: ["write"] };
  return (await world.owner.post("W/api-keys", body).expect(201)).data.agent_id;
};
const agents = async (world: World): Promise<Params> => ({
  ...(await issue(world)),
  one: await agent(world),
  two: await agent(world),
});
const claim = (who: string) =>
  post("W/agent-sessions", (params) => ({
    title: "Work",
    issue_key: params.issueKey,
    agent_id: params[who],
    claim: true,
  }));
const next = (who: string) =>
  post("W/agent-sessions", (params, { project }) => ({
    title: "Work",
    issue_key: "next",
    project: project.id,
    agent_id: params[who],
  }));
const startsAlone = async (world: World): Promise<Params> => {
  await world.owner.patch("P", { auto_start: true }).expect(200);
  return agents(world);
};

export const sessions = [
  crossing("two agents claim an issue", agents, claim("one"), claim("two")),
  crossing(
    "a claimed session is reopened, and the issue is claimed",
    async (world) => {
      const params = await agents(world);
      const body = { title: "Work", issue_key: params.issueKey, agent_id: params.one, claim: true };
      const id = await made(world, "W/agent-sessions", body);
      await world.owner.patch(`W/agent-sessions/${id}`, { state: "done" }).expect(200);
      return { ...params, id };
    },
    patch("W/agent-sessions/:id", { state: "running" }),
    claim("two"),
  ),
  crossing("two agents ask for the next of one issue", agents, next("one"), next("two")),
  crossing("an agent asks for the next issue, and it is closed", agents, next("one"), move("done")),
  crossing("an agent asks for the next issue, and it changes", agents, next("one"), retitle),
  crossing("a session moves an issue, and it is moved", startsAlone, claim("one"), move("in_review")),
  crossing("the next issue is moved by its session, and it is moved", startsAlone, next("one"), move("backlog")),
];
