"""A page as a browser is one to the box: with a key pair of its own, sealing what it sends."""

import base64
import json
from typing import Any

from nacl.public import Box, PrivateKey, PublicKey
from starlette.testclient import TestClient

from device.people.sealed_requests import LENGTH_STEP, Seal

HOME = "http://127.0.0.1:8080"


def as_text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


class SealedPage:
    """Posts sealed letters to a console; what it last sent can be looked at and sent again."""

    def __init__(self, client: TestClient, word: str | None = None) -> None:
        self.client = client
        told = client.get("/box").json()
        self._box_key = PublicKey(base64.urlsafe_b64decode(told["key"] + "="))
        self.word = word or told["word"]
        self.secret = PrivateKey.generate()
        self.key = as_text(bytes(self.secret.public_key))
        self.count = 0
        self.sent = b""
        self.status = 0

    def envelope(self, path: str, body: object, **changes: object) -> dict[str, str]:
        """A sealed letter, its inside changed where the test says so."""
        self.count += 1
        inside = {"word": self.word, "count": self.count, "path": path, "body": body, **changes}
        return self._sealed(json.dumps(inside).encode())

    def post_text(self, path: str, body: str) -> dict[str, Any]:
        """What the box answers to a body of this very text, opened."""
        self.count += 1
        inside = f'{{"word":"{self.word}","count":{self.count},"path":"{path}","body":{body}}}'
        return self.send(path, json.dumps(self._sealed(inside.encode())).encode())

    def _sealed(self, text: bytes) -> dict[str, str]:
        made = Box(self.secret, self._box_key).encrypt(text + b" " * (-len(text) % LENGTH_STEP))
        return {"key": self.key, "nonce": as_text(made.nonce), "sealed": as_text(made.ciphertext)}

    def post(self, path: str, body: object, **changes: object) -> dict[str, Any]:
        """What the box answers, opened."""
        return self.send(path, json.dumps(self.envelope(path, body, **changes)).encode())

    def send(self, path: str, letter: bytes) -> dict[str, Any]:
        """Send these very bytes."""
        self.sent = letter
        headers = {"origin": str(self.client.base_url).rstrip("/"), "content-type": "application/json"}
        response = self.client.post(path, content=letter, headers=headers)
        self.status, self.received = response.status_code, response.content
        answer: dict[str, Any] = response.json()
        if "sealed" not in answer:
            return answer
        text = Box(self.secret, self._box_key).decrypt(
            base64.b64decode(answer["sealed"]), base64.b64decode(answer["nonce"])
        )
        said: dict[str, Any] = json.loads(text)["said"]
        return said


def sealed_for(seal: Seal, path: str, body: object) -> dict[str, str]:
    """A letter of some page for a box whose public key is at hand."""
    secret = PrivateKey.generate()
    inside = {"word": seal.word, "count": 1, "path": path, "body": body}
    made = Box(secret, PublicKey(base64.urlsafe_b64decode(seal.public + "="))).encrypt(
        json.dumps(inside).encode()
    )
    return {
        "key": as_text(bytes(secret.public_key)),
        "nonce": as_text(made.nonce),
        "sealed": as_text(made.ciphertext),
    }
