export type DemoOptions = {
  databaseUrl: string;
  redisUrl: string;
  baseUrl: string;
  secretKey: string;
  /** What an earlier run made. */
  known?: { api_key: string };
};

export type Demo = { workspace: string; project_key: string; owner_email: string; api_key: string };

export async function seedDemo(_options: DemoOptions): Promise<Demo> {
  throw new Error("seedDemo is missing");
}
