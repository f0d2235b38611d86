/** The version of the API description. `npm run release-api` raises it; see docs/versioning.md. */
export const API_VERSION = "1.0.0";

/** SPDX has no identifier for this case; this is its form for licences of one's own. */
export const LICENSE = { name: "All rights reserved", identifier: "LicenseRef-All-Rights-Reserved" };
