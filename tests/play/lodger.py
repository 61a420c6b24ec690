"""Who plays the lodger by a plan: forty coins become sixty, a warm word a day becomes a friend, a want becomes work."""

from __future__ import annotations

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.domain import Command
from sandbox.director.goal_domain import ChooseGoal
from sandbox.director.history import OpenAnnals, annals_of
from sandbox.engine.world import World
from sandbox.people.goal_handlers import means_of, next_step
from sandbox.people.played import pending_question
from sandbox.play.acts import TalkOffer, every_offer
from sandbox.play.model import Arrive, Begin, Bid, Reply, Speak
from sandbox.store.session import Session
from sandbox.talk.content import tie_of

ME, HOST, MATE, BOSS = "lodger", "zeno", "flora", "esme"
DEBT, WANT = "first_month", "cafe_mornings"
WARM = ("compliment", "chat", "ask_about", "opinion", "ask_plans")  # what is said to come to be liked
LIKELY = 0.55  # chance from which something is asked for
PATIENT = 8  # talks after which it is asked for all the same


async def arrive(session: Session, name: str = "Robin Vale") -> None:
    """Have the lodger come, and follow their goals."""
    engine, w = session.engine, session.world
    await engine.step()
    engine.do(Arrive(name=name))
    await engine.step()
    engine.do(OpenAnnals(before=annals_of((), w.cast_pressures)))
    await engine.step()
    for aim in w.newcomers[ME].settling.goals:
        engine.do(ChooseGoal(id=aim.id))
    await engine.step()


class Plan:
    """What the lodger does next. Nothing is known to it that a player at the screen does not see."""

    def __init__(self, session: Session) -> None:
        self.engine, self.w = session.engine, session.world
        self.busy = 0
        self.last: dict[str, int] = {}

    def act(self) -> None:
        """Do something, if it is time to."""
        w = self.w
        hour, r = w.clock.second_of_day(w.now) / HOUR, w.people.residents[ME]
        if pending_question(w) is not None:
            self._do(Reply(by=ME, how="accept"))
        elif not self._free() or w.now < self.busy:
            return
        elif not 7 <= hour < 23:
            if r.awake:
                self._bid("sleep", 10 * MINUTE)
        elif r.awake and not (self._pays() or self._borrows() or self._works()):
            self._warms(MATE)

    def _free(self) -> bool:
        r, spot = self.w.people.residents[ME], self.w.town.spots[ME]
        return not r.talk and self.w.played.wish is None and self.w.played.heading < 0 and not spot.path

    def _pays(self) -> bool:
        """What is owed, as soon as there are the coins."""
        debt = self.w.pressures.open.get(DEBT)
        if debt is None or self._purse() < debt.amount or not self._due("pay", HOUR // 3):
            return False
        return self._says(HOST, next((x for x in self._offers(HOST) if (x.aim, x.do) == (DEBT, "repay")), None))

    def _borrows(self) -> bool:
        """What is lacking, of a friend."""
        debt = self.w.pressures.open.get(DEBT)
        if debt is None or self._purse() >= debt.amount:
            return False
        found = next((x for x in self._offers(MATE) if x.begins == "borrow"), None)
        if found is None or not _likely(found) or not self._due("borrow", 2 * HOUR):
            return False
        return self._do(Begin(by=ME, whom=MATE, what="borrow", coins=debt.amount - self._purse()))

    def _works(self) -> bool:
        """Towards the work that is wanted: an hour of practice, somebody's good word, and then to ask for it."""
        p = self.w.pressures.open.get(WANT)
        if p is None:
            return False
        todo = next_step(self.w, p, self.w.now)
        means = means_of(self.w, todo) if todo is not None else None
        if means is not None and means.block:
            return self._bid(means.block, HOUR) if self._due("practise", 2 * HOUR) else self._bid("rest", HOUR // 4)
        whom, do = (todo.whom, means.do) if todo is not None and means is not None else (BOSS, "ask_help")
        found = next((x for x in self._offers(whom) if (x.aim, x.do) == (WANT, do)), None)
        ready = found is not None and (_likely(found) or tie_of(self.w, ME, whom).talks >= PATIENT)
        if ready and self._due(f"ask {whom}", HOUR):
            return self._says(whom, found)
        return self._warms(whom)

    def _warms(self, whom: str) -> bool:
        """Something kind, a few times a day, and never the same twice within six hours."""
        if not self._due(f"warm {whom}", 25 * MINUTE):
            return False
        plain = {x.do: x for x in self._offers(whom) if not x.aim}
        do = next((do for do in WARM if do in plain and self._due(f"{do} {whom}", 6 * HOUR)), "")
        return bool(do) and self._says(whom, plain[do])

    def _offers(self, whom: str) -> list[TalkOffer]:
        return every_offer(self.w, ME, whom) if self.w.people.residents[whom].awake else []

    def _says(self, whom: str, offer: TalkOffer | None) -> bool:
        return offer is not None and self._do(Speak(by=ME, whom=whom, do=offer.do, aim=offer.aim))

    def _bid(self, do: str, lasts: int) -> bool:
        self.busy = self.w.now + lasts + 2 * MINUTE
        return self._do(Bid(by=ME, do=do, where="home", lasts=0 if do == "sleep" else lasts))

    def _do(self, command: Command) -> bool:
        try:
            self.engine.do(command)
        except ValueError:
            return False
        return True

    def _purse(self) -> int:
        return self.w.people.residents[ME].purse.coins

    def _due(self, what: str, every: int) -> bool:
        """Whether something was not done for so long; it is done now, then."""
        if self.w.now - self.last.get(what, -every) < every:
            return False
        self.last[what] = self.w.now
        return True


def _likely(offer: TalkOffer) -> bool:
    return offer.chances is not None and offer.chances.get("accept", 0.0) >= LIKELY


def won(w: World) -> dict[str, bool | None]:
    """Goal of the lodger -> whether it is won; None while it is open."""
    return {aim.id: w.aims.followed[aim.id].won for aim in w.newcomers[ME].settling.goals}
