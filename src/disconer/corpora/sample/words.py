"""The words of the sample corpus. Drugs are invented, and nothing said of them is a fact."""

from disconer.corpora.sample.phrases import Choices, Phrase, phrase, repeat_by_weight


def words(common: str, unseen: str = "") -> Choices[Phrase]:
    """Read entries between commas; those that end in + take a plural verb."""
    return Choices(_parse_entries(common), _parse_entries(unseen))


def _parse_entries(listing: str) -> tuple[Phrase, ...]:
    entries = (" ".join(entry.split()) for entry in listing.split(","))
    return tuple(phrase(entry.removesuffix("+"), entry.endswith("+")) for entry in entries if entry)


DRUGS = words(
    """Zorvastin, Plimeral, Quendase, Trovixa, Belmorin, Caldrexil, Duvanol, Fenlodex, Glavitrel, Hexoridin, Jorvaxin,
    Kelprozol, Lomidryl, Mervatol, Nuvandra, Oxiplene, Pradenol, Rilvatan, Sembrixa, Tolvaquin, Umbrelin, Wendarol,
    Xyprafen, Yelmotide, Brondesta, Ciltavir, Delmaprine, Farnovex""",
    "Zentrelin, Ostravon, Harvolex, Melquira, Ardovane",
)
AMOUNTS = words("2, 5, 10, 15, 20, 25, 30, 40, 50, 75, 80, 100, 150, 200", "60, 120")
UNITS = repeat_by_weight({phrase("mg"): 4, phrase("mcg"): 1})

# What befalls a person as a whole; nothing before or after it carries over to it.
FEELINGS = words(
    """headaches+, nausea, dizziness, insomnia, vomiting, fatigue, heartburn, vertigo, diarrhea, constipation, hives+,
    hair loss, weight gain, night sweats+, dry mouth, brain fog, blurred vision, mood swings+, panic attacks+,
    hot flashes+, palpitations+, acne, bloating, nosebleeds+, drowsiness, anxiety, ringing in the ears,
    shortness of breath""",
    "migraines+, restlessness, double vision, hiccups+",
)
EXPERIENCES = words(
    """trouble falling asleep, a metallic taste in the mouth, waking up drenched in sweat at night, ups and downs+,
    crying for no reason at all, a complete lack of energy, bad dreams+, falling asleep at the wheel,
    a low sex drive, feeling like a zombie all day long""",
    "trouble finding the right words",
)
REACTIONS = words(
    """hepatitis, pancreatitis, anaphylaxis, urticaria, angioedema, hypotension, neutropenia, thrombocytopenia,
    pruritus, syncope, bradycardia, jaundice, peripheral neuropathy, somnolence, hyperkalemia, febrile neutropenia,
    seizures+, interstitial lung disease, aseptic meningitis, dyspnea, hypoglycemia, leukopenia, tachycardia,
    photosensitivity, anemia, rhabdomyolysis, serotonin syndrome, hypersensitivity reactions+""",
    "stomatitis, hyponatremia, agranulocytosis, lactic acidosis",
)
SYNDROMES = words(
    """toxic epidermal necrolysis, prolongation of the QT interval, new onset of atrial fibrillation, suicidal ideation,
    signs and symptoms of heart block+, impaired wound healing after major surgery, drug dependence,
    cutaneous adverse reactions with a delayed onset+""",
    "posterior reversible encephalopathy syndrome",
)

# Compounds: every modifier goes with every head.
BODY_MODIFIERS = words(
    """joint, muscle, back, chest, shoulder, neck, stomach, knee, leg, hip, foot, jaw, upper body, lower back, arm,
    hand, calf, right shoulder""",
    "elbow, thigh, left hip",
)
PAINS = words("pain, stiffness, cramps+, spasms+, soreness, aches+, weakness, tightness", "discomfort")
ORGANS = words(
    """hepatic, renal, cardiac, respiratory, pancreatic, pulmonary, adrenal, vascular, gastric, cerebral, retinal,
    ovarian, right ventricular, bone marrow""",
    "thyroid, left ventricular",
)
DAMAGES = words("failure, toxicity, injury, dysfunction, hemorrhage, necrosis, ischemia, edema", "infarction")

# What is somewhere: every one goes with every site.
SENSATIONS = words(
    "pain, numbness, tingling, swelling, burning, itching, redness, pins and needles+, bruising", "prickling"
)
LESIONS = words("swelling, discoloration, ulceration, inflammation, blistering, numbness, redness", "hardening")
BODY_PARTS = words(
    """knees+, hands+, feet+, legs+, ankles+, shoulders+, hips+, fingers+, elbows+, wrists+, arms+, calves+, thighs+,
    toes+, lower back, neck, chest, jaw, left arm, right knee, scalp, upper body, face, left foot""",
    "forearms+, heels+, right hip, eyelids+",
)
SITES = words("face, lips+, tongue, extremities+, throat, hands+, eyelids+, gums+, skin, feet+, neck, palate", "soles+")
FORUM_ASIDES = words(
    """mostly at night, on and off, especially in the morning, day and night, after every single meal,
    usually for an hour or two""",
    "out of nowhere",
)
LABEL_ASIDES = words(
    "mostly transient, within hours of the first tablet, in one case recurrent, with or without warning signs",
    "rarely persistent",
)

# What begins alike: every beginning goes with every end.
LOSSES = words("loss of, changes in, problems with", "trouble with")
SENSES = words("taste, smell, hearing, balance, appetite, libido, memory, night vision", "concentration")
CHANGES = words("increased, elevated, decreased, abnormal, reduced", "raised")
MEASUREMENTS = words(
    """serum creatinine, bilirubin, blood glucose, liver enzymes+, triglycerides+, serum potassium, hemoglobin,
    white blood cell counts+, uric acid, alkaline phosphatase""",
    "lipase, platelet counts+",
)
STRUGGLES = words("could hardly, could barely, was too tired to, was unable to", "could not even")
ACTIVITIES = words(
    """walk, sleep, stand, eat, think, drive, focus, climb stairs, lift my arms, hold a cup, get out of bed, read,
    remember simple words, turn my head""",
    "type, get dressed in the morning",
)

# Body parts that do something, and verbs between them and it, which agree with them; the shortest is likelier.
ACHES = words("aching, burning, tingling, throbbing, shaking, cramping, itching, twitching", "trembling")
STATES = words("numb, swollen, sore, stiff, weak, tender, puffy, itchy, red, heavy", "inflamed")
HEALTHY = words("fine, all right, back to normal, as good as new, okay, strong, no problem at all", "in good shape")
VERBS_OF_ACHES = Choices(
    (
        " {was} ", " {was} ", " started ", " kept ", " {was} constantly ", " {has} been ", " would not stop ",
        " just would not stop ", " {has} not stopped ", " all of a sudden started ", ", for some reason, kept ",
        ", which never happened before, {was} ",
    ),
    (" never stopped ",),
)  # fmt: skip
VERBS_OF_STATES = Choices(
    (
        " {was} ", " {was} ", " felt ", " got ", " {was} really ", " always felt ", " {has} been ",
        " {has} been quite ", " would at times feel ", " {was} more or less ", " all of a sudden felt ",
        ", of all things, {was} ", ", which had never bothered me before, got ",
    ),
    (" still {is} ",),
)  # fmt: skip
VERBS_OF_DEGREES = Choices((" {was} ", " felt ", " {has} been ", " all of a sudden got ", ", of all things, {was} "))
# What befalls somebody who is the subject.
MOODS = words(
    """dizzy, exhausted, sick to my stomach, drowsy, nervous, out of breath, depressed, sleepy all day,
    wide awake at 3 am, completely drained, irritable, short of breath after a few steps, lightheaded,
    unsteady on my feet""",
    "jittery, bloated",
)

FORUM_SEVERITIES = words("severe, terrible, mild, horrible, awful, unbearable, slight, excruciating", "nasty")
LABEL_SEVERITIES = words("severe, serious, mild, moderate, clinically significant, life-threatening", "disabling")
SEVERELY = words("severely, terribly, mildly, horribly, awfully, unbearably, slightly", "badly")
OUTCOMES = words("falls+, exhaustion, dehydration, stumbling, weight loss", "absences from work+")
CAUSES = words("dizziness, insomnia, vertigo, headaches+, diarrhea, anxiety", "vomiting")
LABEL_OUTCOMES = words("shock, collapse, respiratory arrest, cardiac arrest, falls+, coma", "circulatory failure")
LABEL_CAUSES = words("hypotension, bradycardia, anaphylaxis, seizures+, hypoglycemia, hyperkalemia", "tachycardia")

DISEASES = words(
    """gout, psoriasis, asthma, epilepsy, high blood pressure, high cholesterol, depression, fibromyalgia, osteoporosis,
    hypothyroidism, irritable bowel syndrome, acid reflux, restless legs syndrome, chronic fatigue syndrome,
    schizophrenia, multiple sclerosis, glaucoma, chronic obstructive pulmonary disease, ulcerative colitis,
    shingles, lupus""",
    "endometriosis, narcolepsy, cystic fibrosis",
)
# Kinds of a disease by the disease.
KINDS = {
    "cancer": words("breast, ovarian, lung, prostate, colon, small cell lung", "bladder"),
    "disease": words("kidney, liver, heart, coronary artery, thyroid", "gallbladder"),
    "arthritis": words("rheumatoid, psoriatic, juvenile, septic"),
    "diabetes": words("type 1, type 2, gestational"),
    "infections": words("urinary tract, skin, respiratory tract, bone", "ear"),
}
FAMILIES = repeat_by_weight({"cancer": 2, "disease": 2, "arthritis": 1, "diabetes": 1, "infections": 2})
COMPLICATIONS = words("chronic pain, sleep problems+, low mood, malnutrition, chronic cough", "iron deficiency")

TIMES = words(
    """3 days, two weeks, six months, a month, a few days, ten days, about a year, four weeks, 5 months, almost a week,
    eight weeks, half a year, two years, 48 hours""",
    "a fortnight, 90 days",
)
PAST_DAYS = words("on Monday, this morning, yesterday, last week, on Tuesday, last month, two days ago", "on Sunday")
COMING_DAYS = words("next week, tomorrow, on Friday, in two weeks, next month, on Thursday, this afternoon", "tonight")
DOCTORS = words("doctor, doc, GP, specialist, nurse, docter, dr, consultant", "physician")
RELATIVES = words("wife, husband, sister, neighbor, mother, brother, best friend, father, boss", "aunt")
BECAUSE = repeat_by_weight({phrase("because"): 4, phrase("becuase"): 1, phrase("on account"): 1})
REALLY = repeat_by_weight({phrase("really"): 3, phrase("realy"): 1, phrase("so"): 1})
OCCASIONS = words("with breakfast, before bed, on an empty stomach, at lunch, every other day, with coffee", "at noon")
DRINKS = words("water, milk, juice, a light meal, a glass of water, soft food", "cold water")
NUMBERS = words("12, 24, 36, 48, 60, 72, 96, 110, 140, 180, 220, 310, 450, 520, 640, 730, 890", "1000")
SMALL_NUMBERS = words("1, 2, 3, 4, 6, 7, 8, 9, 11, 14, 17, 21, 26, 33, 38, 41", "52")
GROUPS = words(
    """elderly patients+, women of childbearing age+, smokers+, healthy volunteers+, adolescents+, nursing mothers+,
    adults+, patients under 18 years of age+""",
    "patients on dialysis+",
)
