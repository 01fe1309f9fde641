// The npm package `s3rver`: a third-party server that speaks S3's protocol, with one bucket, on a free port. It can go
// down and come back on the same port.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import S3rver from "s3rver";
import { ownPort } from "../own-port.ts";

const BUCKET = "recordings";

export interface S3Server {
  readonly settings: {
    readonly endpoint: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  /** Connections are refused until it comes back. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

export async function startS3(directory: string): Promise<S3Server> {
  const s3 = new S3rver({
    directory,
    silent: true,
    resetOnClose: false,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  await s3.configureBuckets();
  const serve = s3.callback();
  let server: Server | undefined;
  const port = await ownPort();
  const comeBack = async () => {
    server = createServer(serve).listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const goAway = async () => {
    const left = server;
    server = undefined;
    left?.closeAllConnections();
    await new Promise<void>((resolve) => (left ? left.close(() => resolve()) : resolve()));
  };
  await comeBack();
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}/${BUCKET}`,
      region: "us-east-1",
      accessKeyId: "S3RVER",
      secretAccessKey: "S3RVER",
    },
    goAway,
    comeBack,
    async close() {
      await goAway();
      s3.logger.close();
    },
  };
}
