import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Where `npm run dev` finds a server to ask.
const SERVER = process.env["HEADWATER_URL"] ?? "http://127.0.0.1:5000";

export default defineConfig({
  plugins: [react()],
  // Links are relative: the server writes them anew for the path that it is shown under.
  base: "./",
  build: {
    outDir: "../src/headwater/server/pages/web",
    emptyOutDir: true,
    // Files only: the server's content security policy lets no script be written in a page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
  worker: { format: "es" },
  server: { proxy: { "/api": SERVER, "/livez": SERVER } },
  test: {
    include: ["src/**/*.test.{ts,tsx}"],
    environment: "node",
    globalSetup: ["tests/served.ts"],
    testTimeout: 20_000,
  },
});
