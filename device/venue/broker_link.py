"""A connection to a broker of MQTT 5, for box and desk: it comes back by itself, and keeps nobody waiting.

Nothing is queued for long: what could not be said is said anew by whoever knows what is new by then. The
desk's own broker is known by its one certificate, so neither a name nor this machine's clock is needed: a box
without network time may believe that it is 1970. A broker that others run is known by its name and an
authority.
"""

import secrets
import socket
import ssl
from collections.abc import Callable
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from device.venue.membership import Membership
from device.venue.messages import LARGEST_BYTES, UNANSWERED, is_sealed, seal

CODE = "code"
"""The user property that carries a message's code."""
NO_CHECK_TIME = 0x200000
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME: the certificate is known, whatever the clock says."""
WAITING = 64
"""This many messages may wait for the broker; further ones are refused, and said anew later."""
ALIVE_S = 20
"""After one and a half times this silence the broker says that a box has gone."""


class BrokerLink:
    """One client. The functions given are called on its own thread."""

    def __init__(
        self,
        at: Membership,
        client_id: str,
        *,
        hear: Callable[[str, bytes, str], None],
        joined: Callable[[], None],
        answered: Callable[[], None] = lambda: None,
        waiting: int = WAITING,
    ) -> None:
        """`hear` gets topic, body and code of each message; `joined` is called at each new connection,
        `answered` whenever the broker has said whether it lets anybody in.

        `at` is the user: the desk has a membership of its own broker, too.
        """
        self._at = at
        self._joined, self._answered = joined, answered
        self._hear = hear
        self._subscribed: tuple[str, ...] = ()
        self.refused = ""
        """Why the broker lets nobody in, in its own words; "" when it does."""
        client = self._client = Client(
            CallbackAPIVersion.VERSION2, client_id=client_id, protocol=MQTTProtocolVersion.MQTTv5
        )
        if at.user:
            client.username_pw_set(at.user, at.password)
        if context := tls_of(at):
            client.tls_set_context(context)
        # Where a hall's power comes back, all boxes would knock at the same moment.
        client.reconnect_delay_set(1 + secrets.randbelow(5), 30)
        client.max_queued_messages_set(waiting)
        client.max_inflight_messages_set(UNANSWERED)
        client.on_socket_open = _send_at_once
        client.on_connect = self._on_connect
        client.on_message = self._on_message

    @property
    def is_there(self) -> bool:
        """Whether the broker can be spoken to now."""
        return bool(self._client.is_connected())

    def last_will(self, where: str, body: bytes) -> None:
        """What the broker says, and keeps, when this connection breaks; before `start`."""
        self._client.will_set(
            where,
            body,
            qos=1,
            retain=True,
            properties=_carrying(PacketTypes.WILLMESSAGE, self._code(where, body)),
        )

    def start(self, *topics: str) -> None:
        """Connect as soon as that is possible, and hear these topics; a broker that is away is waited for."""
        self._subscribed = topics
        properties = Properties(PacketTypes.CONNECT)
        properties.MaximumPacketSize = LARGEST_BYTES
        properties.ReceiveMaximum = UNANSWERED
        self._client.connect_async(
            self._at.host, self._at.port, keepalive=ALIVE_S, clean_start=True, properties=properties
        )
        self._client.loop_start()

    def send(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:
        """Send a message, at least once; False where it cannot be queued. `key`: another than ours."""
        if not self.is_there:
            return False
        code = seal(key, where, body) if key else self._code(where, body)
        told = self._client.publish(
            where, body, qos=1, retain=retain, properties=_carrying(PacketTypes.PUBLISH, code)
        )
        return bool(told.rc == 0)

    def stop(self) -> None:
        """Leave; the broker then says no last will."""
        self._client.disconnect()
        self._client.loop_stop()

    def is_from_desk(self, where: str, body: bytes, code: str) -> bool:
        """Whether a message is sealed with this membership's key."""
        return is_sealed(self._at.key, where, body, code)

    def _code(self, where: str, body: bytes) -> str:
        return seal(self._at.key, where, body)

    def _on_connect(self, client: Client, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        self.refused = str(reason) if reason.is_failure else ""
        if not reason.is_failure:
            for each in self._subscribed:
                client.subscribe(each, qos=1)
            self._joined()
        self._answered()

    def _on_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        said = dict(getattr(message.properties, "UserProperty", ()) or ())
        self._hear(str(message.topic), bytes(message.payload), str(said.get(CODE, "")))


def _send_at_once(_client: Client, _data: Any, opened: socket.socket) -> None:
    """A small message waits for no others (Nagle), and so for no late receipt of the one before it."""
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def tls_of(at: Membership) -> ssl.SSLContext | None:
    """How the broker is known; None where it is spoken to in the clear.

    Raises ssl.SSLError or ValueError for what is no certificate.
    """
    if at.login is not None and not at.login.tls:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if at.login is None:
        context.check_hostname = False
    if at.certificate:
        context.load_verify_locations(cadata=at.certificate)
    else:
        context.load_default_certs()
    # Messages are sealed with keys of our own, so an old certificate costs less than a box that cannot tell.
    context.verify_flags |= NO_CHECK_TIME
    return context


def _carrying(kind: int, code: str) -> Properties:
    properties = Properties(kind)
    properties.UserProperty = (CODE, code)
    return properties
