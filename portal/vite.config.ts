// Builds the portal into dist/portal, from where the server serves it. During development, `npx vite` in this folder
// serves it and proxies to a running server (TANDEM_URL, by default http://localhost:8080).

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import portal from "./package.json" with { type: "json" };

const server = process.env.TANDEM_URL ?? "http://localhost:8080";
const served = ["/v1", "/messaging/v1", "/carrierLookup/v1", "/testkit/v1", "/operator/v1", "/openapi.json", "/docs"];

export default defineConfig({
  plugins: [react()],
  // Uses the SDK's source, not the published package.
  resolve: { tsconfigPaths: true },
  define: { __VERSION__: JSON.stringify(portal.version) },
  build: {
    outDir: "../dist/portal",
    emptyOutDir: true,
    target: "es2023",
    // No data: URLs and no inline scripts, so that the page's content security policy can forbid them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, server])) },
});
