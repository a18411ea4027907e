"""Answers are made from classes of the core: what those gain does not reach a client by itself."""

import pytest
from pydantic import BaseModel

from chatmem.interfaces.rest import answers, bodies
from chatmem.interfaces.rest.wire import SETTINGS

FIELDS: dict[type[BaseModel], str] = {
    answers.Memory: "id user_id timestamp create_time content tags session_id app_type role "
    "memory_type kind category key value confidence source importance visibility valid_from "
    "valid_to superseded_by document last_accessed access_count masked",
    answers.HistoryStep: "memory_id at action reason before after",
    answers.MissingCapability: "what why",
    answers.HitParts: "keyword bm25 vector relevance category recency frequency confidence topic "
    "importance",
    answers.StatsAnswer: "user_id sessions messages short_term long_term waiting_for_vectors "
    "waiting_jobs database_bytes schema_version embedder missing",
    answers.DocumentAnswer: "content etag",
    answers.WorkingState: "session_id current_topic context_variables turn_count last_emotion "
    "created_at updated_at",
    answers.ListedSession: "session_id title snippet message_count created_at updated_at ended_at",
    answers.SaidMessage: "id session_id role content create_time is_collected memory_id speaker",
    answers.SavedRow: "id role duplicate",
    answers.EventAnswer: "type session_id is_duplicate asked_for memory_ids",
    answers.ReceiptPart: "name tokens items",
    answers.ReceiptOmission: "id reason",
    answers.ReceiptAnswer: "id sections left_out total_tokens",
}


@pytest.mark.parametrize("answer", FIELDS, ids=lambda answer: answer.__name__)
def test_an_answer_has_these_fields_in_this_order(answer: type[BaseModel]) -> None:
    assert list(answer.model_fields) == FIELDS[answer].split()
    required = {name for name, field in answer.model_fields.items() if field.is_required()}
    assert required == set(answer.model_fields) - {"masked"}


def test_settings_are_read_and_changed_by_the_same_names() -> None:
    assert list(answers.Config.model_fields) == list(SETTINGS)
    assert list(bodies.ConfigChanges.model_fields) == list(SETTINGS)
