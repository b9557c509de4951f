/** The most frequent markers and panels, by the names that Australian pathology has for them. */
const BIOMARKERS = [
  ...["Full blood count", "Haemoglobin", "Red cell count", "Haematocrit", "Mean cell volume"],
  ...["Mean cell haemoglobin concentration", "Red cell distribution width", "Platelet count"],
  ...["White cell count", "Neutrophils", "Lymphocytes", "Monocytes", "Eosinophils", "Basophils"],
  ...["Urea and electrolytes", "Sodium", "Potassium", "Chloride", "Bicarbonate", "Urea"],
  ...["Creatinine", "Estimated glomerular filtration rate", "Corrected calcium", "Phosphate"],
  ...["Magnesium", "Uric acid", "Liver function", "Total bilirubin", "Total protein", "Albumin"],
  ...["Globulin", "Alkaline phosphatase", "Alanine aminotransferase", "Aspartate aminotransferase"],
  ...["Gamma-glutamyl transferase", "Lactate dehydrogenase", "Lipids", "Total cholesterol"],
  ...["HDL cholesterol", "LDL cholesterol", "Triglycerides", "Fasting glucose", "HbA1c"],
  ...["Iron studies", "Iron", "Transferrin saturation", "Ferritin", "Thyroid function"],
  ...["Thyroid stimulating hormone", "Free thyroxine", "Free triiodothyronine", "Vitamin D"],
  ...["Vitamin B12", "Folate", "C-reactive protein", "Testosterone", "Oestradiol", "Progesterone"],
  ...["Luteinising hormone", "Follicle stimulating hormone", "Prolactin", "Cortisol"],
  ...["Prostate specific antigen", "Sex hormone binding globulin"],
];

const named = (name: string) =>
  `{"id":"${name.toLowerCase().replaceAll(" ", "-")}","name":"${name}",`;

/**
 * The field names and frequent values of what is sealed as JSON, as `JSON.stringify` writes them: a result, a referral (interface
 * §2), a patient, a buyer. zlib names a run of them in three bytes, where each stored value would repeat it.
 *
 * **Frozen.** A value that was compressed with it opens with these very bytes only. Other fields go into a second text beside this one,
 * with a mark of its own; this one stays for values that were stored with it.
 */
export const VOCABULARY = Buffer.from(
  [
    // Rare things first: what stands near the end is named in fewer bits.
    BIOMARKERS.map(named).join(""),
    " red blood cells white blood cells in the blood low values high values the liver the kidneys ",
    '"PARTIAL""in_review""high-risk""string""whole-blood""urine""plasma""mmol/L"',
    '"µmol/L""nmol/L""pmol/L""µg/L""mg/L""g/L""U/L""mU/L""x10^9/L""x10^12/L"',
    '"mL/min/1.73m²""%""PARTIAL_RESULTS""SCHEDULED_REISSUE""CONSUMER_WEBSITE"',
    '"BUNDLE_PURCHASE""API""UNKNOWN"',
    '{"author":null,"attempt":1,"refresh_token":"accessToken":"refreshToken":"obtainedAt":"expiresAt":"refreshExpiresAt":"clientId":',
    '"additionalRanges":[{"id":"","name":"","lowRange":null,"highRange":null}]},{"id":"","name":"","object":"biomarker",',
    '"orderingPractitioner":{"name":"","address":{"addressLine1":"","providerNumber":""},"medicareCardNumber":"","dvaNumber":"",',
    '"NSW","QLD","SA","WA","TAS","ACT","NT"," Street"," Road"," Avenue","gender":"male","@gmail.com","@outlook.com","@hotmail.com",',
    // A buyer.
    '{"firstName":"","lastName":"","email":"","phone":null,"statusUrl":"https://shopify.com/account.myshopify.com/orders/authenticate?key=",',
    '"address":{"addressLine1":"","addressLine2":null,"city":"","state":"NSW","postCode":"2","country":"AU"}}',
    // A patient.
    '{"patient":{"firstName":"","lastName":"","email":"@gmail.com","phone":"+614","dob":"19","gender":"female","address":{"addressLine1":"",',
    '"addressLine2":null,"city":"","state":"VIC","postCode":"3","country":"Australia"}},"medicare":null}',
    // A result.
    '{"uuid":"","referralUuid":"","status":"COMPLETE","object":"result","reference":"","referenceNumber":"PW","productId":null,',
    '"productName":null,"origin":"STORE_INTEGRATION","resultAttachment":null,"createdAt":"2026-","updatedAt":"2026-","deletedAt":null,',
    '"resultDate":"2026-","reviewedBy":null,"person":{"firstName":"","lastName":"","email":"@gmail.com","address":{"addressLine1":"",',
    '"postCode":"2","city":"","country":"Australia","state":"NSW","addressLine2":null},"phone":"+614","dob":"19","gender":"female"},',
    '"metadata":{"shop":".myshopify.com","requestId":"","orderId":"","lineItemId":"","unit":1,"generation":1},',
    '"biomarkerSummary":{"normal":1,"abnormal":0,"critical":0,"total":1},"biomarkers":[{"id":"","name":"","object":"biomarker",',
    '"commonName":"","description":"","value":"","valueType":"numeric","subValueType":null,"unit":"","formattedValue":"",',
    '"isAbnormal":true,"sampleType":"serum","notes":null,"category":{"id":"","name":"","description":"","object":"biomarker-category"},',
    '"refIntervalLow":null,"refIntervalHigh":null,"additionalRanges":[]},{"id":"","name":"","object":"biomarker","commonName":"",',
    '"isAbnormal":false,"sampleType":"serum","notes":null,"category":{"id":"","name":"","description":"","object":"biomarker-category"},',
    '"refIntervalLow":0,"refIntervalHigh":1,"additionalRanges":null}],"unread":[]}',
    // A referral: the most frequent.
    '{"uuid":"","status":"CREATED","object":"referral","tests":[""],"metadata":{"shop":".myshopify.com","requestId":"","orderId":"",',
    '"lineItemId":"","unit":1,"generation":1},"productId":null,"productName":null,"origin":"STORE_INTEGRATION","person":{"firstName":"",',
    '"lastName":"","email":"","address":{"addressLine1":"","postCode":"2","city":"","country":"Australia","state":"NSW",',
    '"addressLine2":null},"phone":"+614","dob":"19","gender":"female"},"referralType":"blood","reference":"","referenceNumber":"PW',
    '-","referralAttachment":null,"emailSentAt":null,"createdAt":"2026-","updatedAt":"2026-","deletedAt":null,"resultsUuid":null,',
    '"medicare":false,"orderingPractitioner":null,"medicareCardNumber":null,"dvaNumber":null,',
    '"orderingPractitionerClinicalNotes":null,"routingMessage":null,"unread":[]}',
  ].join(""),
);
