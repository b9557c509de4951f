/** Why a person is needed: a result names another person than the one it was ordered for. Nobody can wave it away. */
export const OTHER_PERSON = "result_other_person";
