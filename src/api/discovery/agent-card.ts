import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/server";
import { BUNDLE_NAMES, type Bundle } from "../../domain/access/identity/scopes.ts";
import { describeScope } from "../../domain/access/oauth/scopes.ts";
import { OAUTH_PATHS } from "../oauth/paths.ts";
import { REST, TOOL_SERVER } from "../oauth/resources.ts";
import type { Json } from "../openapi/schemas.ts";
import { DOCUMENTS, MUSTER } from "./facts.ts";

/**
 * The agent card (A2A 1.0). Agents look for services at its path. This one is no agent and does not speak A2A: its
 * interfaces have bindings of their own, which A2A allows, so clients that know only A2A's find none and stop.
 */
export function agentCard(baseUrl: string): Json {
  const at = (path: string) => baseUrl + path;
  return {
    name: MUSTER.name,
    description: `${MUSTER.description} A service that agents work in, with a tool server (MCP) and a REST API. It is not an agent and does not speak A2A; ${at(DOCUMENTS.agentGuide)} says how to begin.`,
    version: MUSTER.version,
    provider: { organization: MUSTER.name, url: baseUrl },
    documentationUrl: at(DOCUMENTS.agentGuide),
    iconUrl: at(DOCUMENTS.icon),
    supportedInterfaces: [
      { url: at(TOOL_SERVER), protocolBinding: "MCP", protocolVersion: LATEST_PROTOCOL_VERSION },
      { url: at(REST), protocolBinding: "OPENAPI", protocolVersion: "3.1" },
    ],
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: {
      oauth2: {
        oauth2SecurityScheme: {
          description: `A person approves the program; ${at(DOCUMENTS.authGuide)} has the steps.`,
          oauth2MetadataUrl: at(DOCUMENTS.authorizationServer),
          flows: {
            authorizationCode: {
              authorizationUrl: at(OAUTH_PATHS.authorize),
              tokenUrl: at(OAUTH_PATHS.token),
              refreshUrl: at(OAUTH_PATHS.token),
              scopes: Object.fromEntries(BUNDLE_NAMES.map((bundle) => [bundle, describeScope(bundle)])),
              pkceRequired: true,
            },
          },
        },
      },
      bearer: { httpAuthSecurityScheme: { scheme: "Bearer", description: "An API key or an access token." } },
    },
    securityRequirements: [{ schemes: { oauth2: { list: ["read"] } } }, { schemes: { bearer: { list: [] } } }],
    defaultInputModes: ["application/json"],
    defaultOutputModes: ["application/json"],
    skills: SKILLS.map(({ scope, ...skill }) => ({
      ...skill,
      securityRequirements: [{ schemes: { oauth2: { list: [scope] } } }, { schemes: { bearer: { list: [] } } }],
    })),
  };
}

type Skill = { id: string; name: string; description: string; tags: string[]; examples: string[]; scope: Bundle };

const SKILLS: Skill[] = [
  {
    id: "issues",
    name: "Plan and track work",
    description:
      "Create, find, change and move issues; plan sprints, milestones and releases; comment and attach files.",
    tags: ["issues", "projects", "planning"],
    examples: ["Create a bug in the project WEB and assign it to me."],
    scope: "write",
  },
  {
    id: "agent-work",
    name: "Work as an agent",
    description:
      "Hear of assignments and mentions on an event stream, claim the next ready issue, report progress and costs, ask people.",
    tags: ["agents", "sessions", "events"],
    examples: ["Take the next ready issue of WEB and report what you do."],
    scope: "write",
  },
  {
    id: "knowledge",
    name: "Read and write what a team knows",
    description:
      "Search issues, docs, comments, messages, projects, people and goals; write docs in Markdown; chat; follow goals and portfolios.",
    tags: ["search", "docs", "chat", "goals"],
    examples: ["Find the doc about releases and add today's notes."],
    scope: "write",
  },
  {
    id: "reports",
    name: "Report on progress",
    description: "Velocity, burndown, cycle time, throughput and workload of a project, as JSON or CSV.",
    tags: ["reports"],
    examples: ["How long did issues of WEB take last month?"],
    scope: "read",
  },
  {
    id: "automation",
    name: "Automate a workspace",
    description: "Rules that act on events, workflows of stages and approvals, webhooks.",
    tags: ["automations", "workflows", "webhooks"],
    examples: ["When a bug becomes critical, notify the lead."],
    scope: "admin",
  },
  {
    id: "buy-credits",
    name: "Buy AI credits",
    description: "Buy credits for a workspace over HTTP 402, with a payment token or the workspace's saved card.",
    tags: ["payment", "credits", "http-402"],
    examples: ["Buy 2000 credits."],
    scope: "admin",
  },
];
