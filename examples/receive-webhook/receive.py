# Receives webhooks with Python's standard library: TANDEM_WEBHOOK_SECRET=whsec_… python3 receive.py [PORT]
import base64, hashlib, hmac, json, os, sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["TANDEM_WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_genuine(headers, body):
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdigit() or abs(time.time() - int(stamp)) > 300:
        return False
    content = f"{headers['webhook-id']}.{stamp}.".encode() + body
    wanted = "v1," + base64.b64encode(hmac.new(KEY, content, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(wanted, given) for given in headers.get("webhook-signature", "").split())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        good = is_genuine(self.headers, body)
        if good:
            print(self.headers["x-event-type"], json.dumps(json.loads(body)), flush=True)
        self.send_response(204 if good else 400)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 3000), Receiver)
print(f"port {server.server_port}", flush=True)
server.serve_forever()
