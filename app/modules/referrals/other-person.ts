/** Why a person is needed: a result names another person than the one it was ordered for. Nobody can wave it away. */
export const OTHER_PERSON = "result_other_person";

/** The same of a referral, whose form is then shown to nobody. A person ends it by saying that it is the same one under another name. */
export const REFERRAL_OTHER_PERSON = "referral_other_person";
